import { z } from 'zod';

/** The parts of the public API's answers that the command line reads; the rest is passed on as it came. */

export const eventShape = z
  .object({
    event_id: z.string(),
    title: z.string(),
    status: z.string(),
    exclusive: z.boolean(),
    markets: z.array(z.object({ market: z.string(), yes_price: z.number().nullable() }).loose()),
  })
  .loose();

export const receiptShape = z
  .object({
    report_id: z.number(),
    status: z.string(),
    cached: z.boolean(),
    credits_spent: z.number(),
    pool: z.string().nullable(),
    lane: z.string(),
  })
  .loose();

const betShape = z
  .object({
    side: z.string(),
    market: z.string(),
    kind: z.string(),
    share_cost: z.number(),
    win_probability: z.number(),
    edge_points: z.number(),
    payout_per_dollar: z.number(),
    expected_return_per_dollar: z.number(),
  })
  .loose();

const runtimeShape = z
  .object({
    models: z.array(z.string()),
    chairman: z.string(),
    degraded: z.boolean(),
    provider_failures: z.record(z.string(), z.string()),
    most_likely_outcome: z.string(),
    most_likely_probability: z.number(),
    most_likely_source: z.string(),
    consensus_market_conflict: z.boolean(),
    market_probabilities: z.record(z.string(), z.number()),
    market_implied_probabilities: z.record(z.string(), z.number().nullable()),
    top_bets: z.array(betShape),
    exclusive: z.boolean(),
    simulated: z.boolean(),
  })
  .loose();

const positionShape = z
  .object({
    model: z.string(),
    most_likely_outcome: z.string(),
    most_likely_probability: z.number(),
    distance_points: z.number(),
    dissents: z.boolean(),
  })
  .loose();

export const reportShape = z
  .object({
    id: z.number(),
    event_id: z.string(),
    event_title: z.string(),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    queried_market: z.string().nullable(),
    action: z.string().nullable(),
    probability: z.number().nullable(),
    confidence: z.number().nullable(),
    summary: z.string().nullable(),
    progress: z
      .object({ stage: z.string(), done: z.number(), of: z.number(), answered: z.array(z.string()) })
      .nullable(),
    failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
    council_config: z.object({ runtime: runtimeShape.nullable() }).loose(),
    deliberation: z
      .object({ positions: z.array(positionShape).default([]) })
      .loose()
      .nullable(),
    disclaimer: z.string(),
  })
  .loose();

export type ReportView = z.infer<typeof reportShape>;
export type RuntimeView = z.infer<typeof runtimeShape>;
export type BetView = z.infer<typeof betShape>;
export type PositionView = z.infer<typeof positionShape>;
