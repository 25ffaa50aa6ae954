import type { Evidence, EvidenceStatus } from './evidence.js';
import type { EstimateMethod, Method } from './method.js';
import type { CouncilModel } from './models.js';

export type ReportStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** Whether nothing but its grade changes any more. */
export function hasEnded(status: ReportStatus): status is 'completed' | 'failed' {
  return status === 'completed' || status === 'failed';
}

export type Action = 'BUY_YES' | 'BUY_NO' | 'SKIP';

export type HeadlineSource = 'council' | 'market_implied';

/** Outcome name → percent, at most one decimal. Adds up to exactly 100 on an exclusive event. */
export type Probabilities = Readonly<Record<string, number>>;

/**
 * How the market's prices became `market_implied_probabilities`: normalised to 100; taken one by one on
 * independent markets; or not at all, because their sum is out of range or there are none.
 */
export type MarketImpliedBasis = 'normalised' | 'independent' | 'sum_out_of_range' | 'no_price';

/**
 * The estimate weighs the council's consensus and the market's prices with learnt weights. Bets are priced by
 * it. It never changes the consensus.
 */
export interface Estimate {
  /** Percent by outcome; null for an independent market whose price is not firm. */
  readonly probabilities: Readonly<Record<string, number | null>>;
  readonly method: EstimateMethod;
  /** The artefact of learnt weights, with the numbers that compute this estimate again. */
  readonly weights: EstimateWeights;
}

/** The weights in force for a report: an artefact's id, the SHA-256 (hex) of the artefact, and its numbers. */
export interface EstimateWeights {
  readonly id: string;
  readonly sha256: string;
  readonly coefficients: Coefficients;
}

/** How much each voice counts in the estimate, as exponents of its probabilities. */
export interface Coefficients {
  /** Exponent of the market's probabilities. */
  readonly market: number;
  /** Exponent of the council's probabilities where the members are as far apart as usual. */
  readonly council: number;
  /** Added to `council` for each unit by which the members are further apart than usual. */
  readonly council_by_dispersion: number;
}

/** Why a report has no estimate, and therefore no edge. A closed list. */
export type EstimateMissing = 'no_price' | 'sum_out_of_range' | 'no_firm_price';

/** What the members' base rates alone say of an outcome, pooled like their forecasts. */
export interface OutsideView {
  readonly outcome: string;
  /** Percent, one decimal. */
  readonly probability: number;
  /** Whose base rates speak of the outcome. */
  readonly members: readonly CouncilModel[];
}

/** The outcome on which council and trustworthy market are furthest apart, if that is far. Percents as published. */
export interface MarketGap {
  readonly outcome: string;
  readonly council: number;
  readonly market: number;
  readonly points: number;
}

/** What `council/2` adds to the numbers of `council/1`. */
export interface AddedNumbers {
  /** The outcome that the triggers speak of. */
  readonly subject: string;
  /** One for each outcome that base rates speak of, in the order of the outcomes. */
  readonly outside_view: readonly OutsideView[];
  /** Percent: the median of the members' own. Null if none gave one. */
  readonly resolution_risk: number | null;
  readonly market_gap: MarketGap | null;
}

/** A bet that the report names, per share of the side bought. */
export interface Bet {
  readonly side: 'BUY_YES' | 'BUY_NO';
  readonly market: string;
  readonly kind: 'edge' | 'pick';
  /** The price of the market's YES, 0..1. */
  readonly yes_price: number;
  /** Dollars per share of the side bought: its ask price and the taker fee. */
  readonly share_cost: number;
  /** Percent, of the market's YES. */
  readonly consensus_probability: number;
  /** Percent, of the market's YES. */
  readonly market_implied_probability: number;
  /** Percentage points, of the side bought: `win_probability` − the market-implied percent of that side. */
  readonly edge_points: number;
  /** Percent, of the side bought, by the estimate. */
  readonly win_probability: number;
  /** Net dollars per dollar staked if the bet wins. */
  readonly payout_per_dollar: number;
  readonly expected_return_per_dollar: number;
  readonly slug: string;
  /** Fraction of a bankroll, 0..0.05 with four decimals (`stakes`); absent in `council/1`. */
  readonly stake_fraction?: number;
}

/** What the council did and concluded: the source of truth of a report. One of `council/1` lacks the added numbers. */
export interface Runtime extends Partial<AddedNumbers> {
  readonly models: readonly CouncilModel[];
  readonly chairman: CouncilModel;
  /** A member was lost at the opinions or the cross-review. */
  readonly degraded: boolean;
  readonly provider_failures: Readonly<Partial<Record<CouncilModel, string>>>;
  readonly synthesis: SynthesisRuntime;
  readonly most_likely_outcome: string;
  readonly most_likely_probability: number;
  readonly most_likely_source: HeadlineSource;
  readonly consensus_market_conflict: boolean;
  /** The council's own consensus, even if the headline is the market's. */
  readonly market_probabilities: Probabilities;
  readonly market_implied_probabilities: Readonly<Record<string, number | null>>;
  readonly market_implied_basis: MarketImpliedBasis;
  /** The prices were good enough to overrule the council. Required for a conflict. */
  readonly market_trustworthy: boolean;
  /** Null without a firm price. */
  readonly estimate: Estimate | null;
  /** Null if there is an estimate. */
  readonly estimate_missing: EstimateMissing | null;
  /** Null if nobody searched. */
  readonly evidence: EvidenceSummary | null;
  readonly top_bets: readonly Bet[];
  readonly best_edge: Bet | null;
  readonly exclusive: boolean;
  readonly prices_at: string;
  /** Age of those prices when the bets were computed. */
  readonly quote_age_seconds: number;
  readonly simulated: boolean;
  readonly method: Method;
}

/** What was found, with the SHA-256 (hex) of the whole evidence as JSON, as it is published. */
export interface EvidenceSummary {
  readonly status: EvidenceStatus;
  /** How many items. */
  readonly items: number;
  readonly sha256: string;
}

/** Who wrote the synthesis. A chairman that fails is replaced; that changes no number, because it sets none. */
export interface SynthesisRuntime {
  readonly chairman: CouncilModel;
  /** The members that were asked before and failed, in that order. */
  readonly replaced: readonly { readonly model: CouncilModel; readonly reason: string }[];
}

/** Rank of one member over all valid rankings; 1 is best. It explains the report and changes no number. */
export interface RankedMember {
  readonly model: CouncilModel;
  readonly rank: number;
  /** Normalised Borda score, 0..1. */
  readonly score: number;
  readonly ballots: number;
}

/** One member's final forecast compared with the council's, in percent and points with one decimal. */
export interface Position {
  readonly model: CouncilModel;
  readonly most_likely_outcome: string;
  readonly most_likely_probability: number;
  /** The distance from its first forecast to its final one: the effect of cross-review. */
  readonly moved_points: number;
  /** Distance from the council's distribution. */
  readonly distance_points: number;
  readonly dissents: boolean;
}

/** Everything that is computed from the members' answers and the frozen prices. */
export interface Conclusion {
  readonly action: Action;
  /** Percent, of the queried market's YES. */
  readonly probability: number;
  /** 0..100; `council/conclusion/agreement.ts` has the formula. */
  readonly confidence: number;
  readonly queried_market: string;
  readonly runtime: Runtime;
  readonly aggregate_ranking: readonly RankedMember[];
  readonly positions: readonly Position[];
  /** What the members looked up; null if nobody searched. */
  readonly evidence: Evidence | null;
}

/** Why a run failed, with the text of the report's `failure.detail`. A closed list. */
export const runFailures = {
  quorum_lost: 'Too few models gave a valid opinion.',
  no_chairman: 'No model was able to write the synthesis.',
  event_closed: 'The event stopped trading before the council met.',
  market_unavailable: 'The market could not be read, so there were no prices to compare the council with.',
  cancelled: 'The run was cancelled by an operator.',
  abandoned: 'The run was stopped before it completed.',
  internal: 'The run failed because of an internal error.',
} as const;

export type RunFailureCode = keyof typeof runFailures;
