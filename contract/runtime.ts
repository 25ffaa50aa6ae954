import { z } from 'zod';
import {
  betKind,
  byModel,
  count,
  evidenceStatus,
  fraction,
  headlineSource,
  list,
  model,
  percent,
  price,
  side,
  timestamp,
} from './parts.js';

/** One bet with its arithmetic. Some numbers are about the market's YES, others about the side bought. */
export const betShape = z
  .object({
    side,
    market: z.string(),
    kind: betKind.describe(
      '`edge`: the estimate considers the side mispriced. `pick`: the council’s favourite at a fair price, which claims nothing else.',
    ),
    yes_price: price.describe('Price of the market’s YES.'),
    share_cost: price.describe('Cost of one share of the side bought: the ask price plus the taker fee.'),
    consensus_probability: percent.describe('The council’s probability of YES.'),
    market_implied_probability: percent.describe('The market’s probability of YES.'),
    edge_points: z
      .number()
      .describe(
        'Percentage points by which `win_probability` exceeds the market’s probability of the side bought.',
      ),
    win_probability: percent.describe('Probability of the side bought, by the estimate.'),
    payout_per_dollar: z.number().describe('Net dollars per dollar staked if the bet wins.'),
    expected_return_per_dollar: z.number().describe('Expected net dollars per dollar staked.'),
    slug: z
      .string()
      .describe(
        'Identifier of the market at its venue: the slug in Polymarket’s URLs, the ticker at Kalshi.',
      ),
    stake_fraction: fraction
      .nullable()
      .describe(
        'Fraction of a bankroll: a quarter of the Kelly fraction by `win_probability` at `share_cost`, and at most 0.05 for all bets on the event together, which on an exclusive event are weighed together. 0 where a share costs what it is worth or more, or where other bets on an exclusive event do the same for less. Arithmetic, not advice. Null in reports of release 1.0.0.',
      ),
  })
  .meta({ id: 'Bet' });

/** The part of a bet that is recorded. */
export const recordedBetShape = betShape.pick({
  market: true,
  side: true,
  kind: true,
  share_cost: true,
  payout_per_dollar: true,
  win_probability: true,
  stake_fraction: true,
});

const estimateCoefficientsShape = z
  .object({
    market: z.number().describe('Exponent of the market’s probabilities.'),
    council: z.number().describe('Exponent of the council’s probabilities.'),
    council_by_dispersion: z
      .number()
      .describe('Added to `council` for each unit of the members’ dispersion above the usual.'),
  })
  .meta({ id: 'EstimateCoefficients' });

/** Names weights without their numbers. */
export const weightsReferenceShape = z
  .object({ id: z.string(), sha256: z.string() })
  .meta({ id: 'WeightsReference' });

const estimateWeightsShape = z
  .object({
    ...weightsReferenceShape.shape,
    coefficients: estimateCoefficientsShape,
  })
  .meta({ id: 'EstimateWeights' });

/** The number that bets are priced by. `council/estimate/` has the formula. */
const estimateShape = z
  .object({
    probabilities: z
      .record(z.string(), percent.nullable())
      .describe(
        'Percent by outcome; null for an independent market without a firm price. Adds up to exactly 100 if `exclusive`.',
      ),
    method: z.string().describe('Name and version of the formula.'),
    weights: estimateWeightsShape.describe(
      'The learnt weights, named by id and hash. With them, the estimate can be computed again.',
    ),
  })
  .meta({ id: 'Estimate' });

const estimateMissing = z
  .enum(['no_price', 'sum_out_of_range', 'no_firm_price'])
  .meta({ id: 'EstimateMissing' });

const replacedChairmanShape = z.object({ model, reason: z.string() }).meta({ id: 'ReplacedChairman' });

const chairmanshipShape = z
  .object({
    chairman: model,
    replaced: list(replacedChairmanShape).describe(
      'The models that were asked to write the synthesis before and failed. This changes no number and no verdict.',
    ),
  })
  .meta({ id: 'Chairmanship' });

/** What was found, in short. The whole evidence is in `deliberation.evidence`. */
export const evidenceSummaryShape = z
  .object({
    status: evidenceStatus,
    items: count,
    sha256: z
      .string()
      .describe('SHA-256 (hex) of `deliberation.evidence` as JSON, as it is sent. Part of the record.'),
  })
  .meta({ id: 'EvidenceSummary' });

export const methodShape = z
  .object({
    name: z.string(),
    pooling: z.string(),
    thresholds: z.record(z.string(), z.number()),
  })
  .meta({ id: 'Method' });

export const outsideViewShape = z
  .object({
    outcome: z.string(),
    probability: percent,
    members: list(model).describe('Whose base rates speak of the outcome.'),
  })
  .meta({ id: 'OutsideView' });

const marketGapShape = z
  .object({
    outcome: z.string(),
    council: percent,
    market: percent,
    points: z.number().describe('Percentage points between the two.'),
  })
  .meta({ id: 'MarketGap' });

/** What the council did and concluded. */
export const runtimeShape = z
  .object({
    models: list(model).describe('The models whose opinion counted.'),
    chairman: model,
    degraded: z.boolean().describe('True if a requested model was lost at the opinions or the cross-review.'),
    provider_failures: byModel(z.string()).describe('The reason for each model that was lost.'),
    synthesis: chairmanshipShape.describe('Who wrote the synthesis.'),
    most_likely_outcome: z
      .string()
      .describe(
        'The outcome in the headline: the council’s favourite or, in a conflict, the market’s. Never the estimate’s, which leads wherever a report is put in words.',
      ),
    most_likely_probability: percent,
    most_likely_source: headlineSource,
    consensus_market_conflict: z
      .boolean()
      .describe(
        'True if the council and the market’s prices disagree strongly. The headline is then the market’s favourite, and the report names no bets. Do not derive bets yourself. The estimate remains the number to act on.',
      ),
    market_probabilities: z
      .record(z.string(), percent)
      .describe('The council’s consensus: percent by outcome. Adds up to exactly 100 if `exclusive`.'),
    market_implied_probabilities: z
      .record(z.string(), percent.nullable())
      .describe('The probabilities implied by the prices: percent by outcome, null without a price.'),
    market_implied_basis: z.enum(['normalised', 'independent', 'sum_out_of_range', 'no_price']),
    market_trustworthy: z.boolean().describe('True if the prices were good enough to overrule the council.'),
    estimate: estimateShape
      .nullable()
      .describe(
        'The number to act on: weighs the council’s consensus and the market’s prices with learnt weights. Null without a firm price.',
      ),
    estimate_missing: estimateMissing
      .nullable()
      .describe('Why there is no estimate, and therefore no edge. Null if there is one.'),
    evidence: evidenceSummaryShape
      .nullable()
      .describe('What the members looked up. Null if they did not search.'),
    top_bets: list(betShape).describe('At most five bets, best first.'),
    bets_missing: z
      .enum(['unknown_fee'])
      .meta({ id: 'BetsMissing' })
      .nullable()
      .describe(
        'Why no bet could be priced: the venue’s fee is of a kind that is not known here. Null if bets could be priced, also where none is suggested.',
      ),
    best_edge: betShape.nullable().describe('The same as `top_bets[0]`, for older clients.'),
    exclusive: z
      .boolean()
      .describe('True if exactly one outcome wins. Otherwise probabilities do not add up to 100.'),
    prices_at: timestamp.describe('When the market was frozen for the run.'),
    quote_age_seconds: z.number().describe('Age of the prices when the report was computed.'),
    simulated: z.boolean(),
    method: methodShape,
    subject: z
      .string()
      .nullable()
      .describe(
        'The outcome that the triggers speak of: the first of two, the council’s likeliest of more, or the one nearest to 50 % where they are independent. Null in reports of 1.0.0.',
      ),
    outside_view: list(outsideViewShape).describe(
      'What the members’ base rates alone say, pooled, for each outcome that they speak of. Empty in reports of 1.0.0.',
    ),
    resolution_risk: percent
      .nullable()
      .describe(
        'The chance that the event resolves otherwise than the facts suggest (wording, source, dispute): the median of the members’. Null if none gave one, and in reports of 1.0.0.',
      ),
    market_gap: marketGapShape
      .nullable()
      .describe(
        'The outcome on which the council and a trustworthy market are furthest apart, if that is 8 points or more.',
      ),
  })
  .meta({ id: 'Runtime' });

export type BetView = z.infer<typeof betShape>;
export type RuntimeView = z.infer<typeof runtimeShape>;
