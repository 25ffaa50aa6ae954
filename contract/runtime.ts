import { z } from 'zod';
import { betKind, byModel, headlineSource, list, model, percent, price, side, timestamp } from './parts.js';

/** One bet with its arithmetic (`contract` §7 says which numbers speak of YES and which of the side bought). */
export const betShape = z.object({
  side,
  market: z.string(),
  kind: betKind,
  yes_price: price,
  share_cost: price,
  consensus_probability: percent,
  market_implied_probability: percent,
  edge_points: z.number(),
  win_probability: percent,
  payout_per_dollar: z.number(),
  expected_return_per_dollar: z.number(),
  slug: z.string(),
});

export const methodShape = z.object({
  name: z.string(),
  pooling: z.string(),
  thresholds: z.record(z.string(), z.number()),
});

/** What the council actually did and concluded. */
export const runtimeShape = z.object({
  models: list(model),
  chairman: model,
  degraded: z.boolean(),
  provider_failures: byModel(z.string()),
  most_likely_outcome: z.string(),
  most_likely_probability: percent,
  most_likely_source: headlineSource,
  consensus_market_conflict: z.boolean(),
  market_probabilities: z.record(z.string(), percent),
  market_implied_probabilities: z.record(z.string(), percent.nullable()),
  market_implied_basis: z.enum(['normalised', 'independent', 'sum_out_of_range', 'no_price']),
  market_trustworthy: z.boolean(),
  top_bets: list(betShape),
  best_edge: betShape.nullable(),
  exclusive: z.boolean(),
  prices_at: timestamp,
  quote_age_seconds: z.number(),
  simulated: z.boolean(),
  method: methodShape,
});

export type BetView = z.infer<typeof betShape>;
export type RuntimeView = z.infer<typeof runtimeShape>;
