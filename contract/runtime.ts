import { z } from 'zod';
import { betKind, byModel, headlineSource, list, model, percent, price, side, timestamp } from './parts.js';

/** One bet with its arithmetic (`contract` §7 says which numbers speak of YES and which of the side bought). */
export const betShape = z.object({
  side,
  market: z.string(),
  kind: betKind.describe('`edge` claims a mispricing; `pick` is the favourite at a fair price.'),
  yes_price: price.describe('Of the YES share.'),
  share_cost: price.describe('What a share of the side bought really costs: the ask, and the taker fee.'),
  consensus_probability: percent.describe('The council, of YES.'),
  market_implied_probability: percent.describe('The market, of YES.'),
  edge_points: z.number().describe('Percentage points over the market, of the side bought.'),
  win_probability: percent.describe('Of the side bought.'),
  payout_per_dollar: z.number().describe('Net dollars for each one staked, if the bet wins.'),
  expected_return_per_dollar: z.number(),
  slug: z.string().describe('For links to the market platform.'),
});

export const methodShape = z.object({
  name: z.string(),
  pooling: z.string(),
  thresholds: z.record(z.string(), z.number()),
});

/** What the council actually did and concluded. */
export const runtimeShape = z.object({
  models: list(model).describe('Those whose opinion counted.'),
  chairman: model,
  degraded: z
    .boolean()
    .describe('A requested model dropped out somewhere: a consensus of three is not one of four.'),
  provider_failures: byModel(z.string()).describe('Why, for each model that dropped out.'),
  most_likely_outcome: z.string().describe('The headline answer.'),
  most_likely_probability: percent,
  most_likely_source: headlineSource,
  consensus_market_conflict: z
    .boolean()
    .describe(
      'Council and prices clash: the headline is the market’s favourite and no bet is suggested. Derive none yourself.',
    ),
  market_probabilities: z
    .record(z.string(), percent)
    .describe('Outcome → percent, by the council. Adds up to exactly 100 where `exclusive`.'),
  market_implied_probabilities: z
    .record(z.string(), percent.nullable())
    .describe('Outcome → percent, by the prices; null where there is none.'),
  market_implied_basis: z.enum(['normalised', 'independent', 'sum_out_of_range', 'no_price']),
  market_trustworthy: z.boolean().describe('The prices were good enough to overrule the council.'),
  top_bets: list(betShape).describe('Best first.'),
  best_edge: betShape.nullable().describe('`top_bets[0]`, for older clients.'),
  exclusive: z.boolean().describe('Exactly one outcome wins; otherwise nothing adds up to 100.'),
  prices_at: timestamp.describe('When the market was frozen for the run.'),
  quote_age_seconds: z.number().describe('How old the prices were when the report was drawn.'),
  simulated: z.boolean(),
  method: methodShape,
});

export type BetView = z.infer<typeof betShape>;
export type RuntimeView = z.infer<typeof runtimeShape>;
