import { z } from 'zod';
import { deciders } from '../council/market/final-word.js';
import { gradeStates } from '../record/grades/grade.js';
import {
  betKind,
  byModel,
  count,
  fraction,
  list,
  resolution,
  side,
  timestamp,
  timestampOrNull,
} from './parts.js';

/** `record/grades/grade-scores.ts` has the formulas. */
const scoreShape = z
  .object({
    brier: z.number().describe('Brier score, Σ(p − y)² over the outcomes. Lower is better.'),
    log_score: z.number().describe('−ln of the probability of the outcome that happened. Lower is better.'),
    hit: fraction.describe(
      '1 if the favourite happened, 0 if not, a fraction if several outcomes were tied.',
    ),
  })
  .meta({ id: 'Score' });
const scoreOrNull = scoreShape.nullable();

/** Scores on the same outcomes; null for a forecaster that lacks a number on one of them. */
export const forecastScores = {
  council: scoreOrNull,
  market: scoreOrNull,
  blend: scoreOrNull,
  mean: scoreOrNull,
  members: byModel(scoreOrNull),
  estimate: scoreOrNull.describe(
    'Council and market by learnt weights. Null in reports without an estimate.',
  ),
  first_council: scoreOrNull.describe(
    'The members’ first opinions, pooled: the council without cross-review.',
  ),
  first_members: byModel(scoreOrNull).describe('The first opinion of each member alone.'),
};

/** 1 if the outcome happened, 0 if not; null without a result. An integer, because generators read a union as untyped. */
export const happened = z.int().min(0).max(1).nullable();

export const gradeState = z.enum(gradeStates).meta({ id: 'GradeState' });

const gradeScoresShape = z
  .object({
    ...forecastScores,
    outcomes: list(
      z.object({
        name: z.string(),
        happened,
        open: z.boolean().describe('True if the market is not final, so that a later grade adds its result.'),
      }),
    ),
    bets: list(
      z.object({
        market: z.string(),
        side,
        kind: betKind,
        won: z.boolean().nullable().describe('Null if the market was void, paid half or is open.'),
        return_per_dollar: z.number().describe('Net dollars per dollar staked. 0 while the market is open.'),
        open: z.boolean().describe('True if the market is not final.'),
      }),
    ),
  })
  .meta({ id: 'GradeScores' });

/** What the venue finally said about a market of the event. */
const gradedMarketShape = z
  .object({
    market_id: z.string(),
    resolution,
    final_at: timestampOrNull.describe(
      'When the answer became final. Null before, and where the venue does not say.',
    ),
    decided_by: z
      .enum(deciders)
      .meta({ id: 'Decider' })
      .nullable()
      .describe(
        'Who gave the answer: UMA’s oracle, a Chainlink price feed, an account of the venue (`operator`), the exchange, or the bundled events (`sample`). `prices`: read from final prices, as version 1.0.0 did. Null before, and if it is not known.',
      ),
    was_disputed: z.boolean().describe('True if the answer was contested at any time.'),
    rules_changed: z
      .boolean()
      .describe(
        'True if other rules of this market were read after the report was sold and before it was graded, also if they were taken back.',
      ),
    settlement_value: fraction
      .nullable()
      .describe('Dollars that a share of YES paid. Null before, and where the venue does not say.'),
  })
  .meta({ id: 'GradedMarket' });

/** The grade of a report after its event, or a market of an independent event, has resolved. */
export const gradeShape = z
  .object({
    state: gradeState.describe('State of the grade. Only `graded` has scores.'),
    open_markets: count.describe(
      'Number of markets of an independent event that are not final. Each is graded when it is.',
    ),
    grader: z.string().describe('Version of the grading rules.'),
    graded_at: timestamp,
    resolved_at: timestamp,
    corrected: z.boolean().describe('True if this grade corrects an earlier one.'),
    markets: list(gradedMarketShape).describe('The markets of the event when it was resolved.'),
    scores: gradeScoresShape.nullable(),
  })
  .meta({ id: 'Grade' });

export type GradeView = z.infer<typeof gradeShape>;
