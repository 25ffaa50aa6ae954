import { z } from 'zod';
import { gradeStates } from '../council/track-record/grade.js';
import { betKind, byModel, fraction, list, side, timestamp } from './parts.js';

/** `council/track-record/grade-scores.ts` has the formulas. */
export const scoreShape = z.object({
  brier: z.number().describe('Σ(p − y)² over the outcomes; less is better.'),
  log_score: z.number().describe('−ln of what was given to what happened; less is better.'),
  hit: fraction.describe('Whether the favourite happened; a share where several outcomes are equal.'),
});
const scoreOrNull = scoreShape.nullable();

/** Council, market, blend and every member on the same outcomes; null for who has no number on one of them. */
export const forecastScores = {
  council: scoreOrNull,
  market: scoreOrNull,
  blend: scoreOrNull,
  mean: scoreOrNull,
  members: byModel(scoreOrNull),
};

export const happened = z.union([z.literal(0), z.literal(1)]).nullable();

const reportScoresShape = z.object({
  ...forecastScores,
  outcomes: list(z.object({ name: z.string(), happened })),
  bets: list(
    z.object({
      market: z.string(),
      side,
      kind: betKind,
      won: z.boolean().nullable(),
      return_per_dollar: z.number(),
    }),
  ),
});

/** How good a report turned out to be. */
export const gradeShape = z.object({
  state: z.enum(gradeStates).describe('Only `graded` has scores.'),
  grader: z.string().describe('Version of the rules it was graded by.'),
  graded_at: timestamp,
  resolved_at: timestamp,
  corrected: z.boolean().describe('An earlier grade was corrected by this one.'),
  scores: reportScoresShape.nullable(),
});

export type GradeView = z.infer<typeof gradeShape>;
