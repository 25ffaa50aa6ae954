import { z } from 'zod';
import { gradeStates } from '../council/grade-state.js';
import { betKind, byModel, fraction, list, side, timestamp } from './parts.js';

/** `council/grade-score.ts` has the formulas. */
export const scoreShape = z.object({ brier: z.number(), log_score: z.number(), hit: fraction });
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
  state: z.enum(gradeStates),
  grader: z.string(),
  graded_at: timestamp,
  resolved_at: timestamp,
  corrected: z.boolean(),
  scores: reportScoresShape.nullable(),
});

export type GradeView = z.infer<typeof gradeShape>;
