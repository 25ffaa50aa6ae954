/**
 * The numbers of the method. A changed rule or number makes a new version of the method, because every stored report
 * names the version that computed it (`docs/adr/0049-released-versions-are-frozen.md`). The evidence for each number is in `council/README.md`.
 */

export const poolClampMin = 0.01;
export const poolClampMax = 0.99;

/** The council's share in the graded blend of council and market, in logits. */
export const blendCouncilWeight = 0.2;
/** The lowest probability in the log score. Without it, one forecast could score infinity. */
export const logScoreClampMin = 0.001;

export const quorumOpinions = 2;

/** A member this far from the council dissents. */
export const dissentMinPoints = 15;

export const outcomesMax = 40;
export const otherOutcome = 'Any other';

export const spreadTrusted = 0.1;
export const impliedSumMin = 0.9;
export const impliedSumMax = 1.1;

export const conflictFavouritePoints = 10;
export const conflictTotalVariation = 0.25;
/** Market probabilities this close to the highest are all favourites of the market. */
export const marketFavouriteTiePoints = 1;

export const edgeMinPoints = 5;
export const edgeMinPointsDegraded = 8;
export const edgeMinReturn = 0.05;
export const shareCostMin = 0.03;
export const shareCostMax = 0.97;
/** A pick may cost a little more than it is worth, for example half the spread and the fee. */
export const pickMinReturn = -0.05;
export const quoteFreshSeconds = 300;
export const topBetsMax = 5;

/**
 * The stake of a bet as a share of full Kelly: 44 % of its growth for a quarter of its swings, and still growth where the
 * estimate overstates its edge twice.
 */
export const stakeKellyShare = 0.25;
/** Fraction of a bankroll on all bets of one event. */
export const stakeEventMax = 0.05;
export const stakeDecimals = 4;

/** Below 100, because the errors of the four members correlate at about 0.9. */
export const confidenceMax = 85;
/** Members this far apart (0..1) have no agreement. */
export const confidenceSpreadZero = 0.5;
/** As much as a conflict, because the lost answer might have caused one. */
export const confidenceDegraded = 0.5;
export const confidenceInConflict = 0.5;
/** Members searched and found nothing, so the council knows no more than its members remember. */
export const confidenceWithoutEvidence = 0.8;

/** Council and market this far apart on an outcome are explained by a member that is shown both. */
export const marketGapMinPoints = 8;

export const distributionSumTolerancePercent = 2;

/** Tolerance of comparisons with a threshold, so that "5 points" holds in decimal despite binary rounding. */
export const comparisonTolerance = 1e-9;

/**
 * The dispersion of the members at which the estimate's exponent of the council is the learnt one. About
 * the mean over real forecasts; it only centres the term.
 */
export const dispersionUsual = 0.4;

/** What the versions of the estimate's formula (`council/estimate/`) differ in. */
export interface EstimateFormula {
  /** A market's probability (0..1) counts as at least this with two outcomes, and as 2 · priceMin / n with n. */
  readonly priceMin: number;
  /** The opinions whose dispersion counts: before or after the members have read one another. */
  readonly dispersionOf: 'first' | 'final';
}

/**
 * The formulas of the estimate by name and version. Weights name the one that they were fitted for. A formula that a
 * release has stored numbers by is never changed.
 */
export const estimateFormulas = {
  'estimate/1': { priceMin: 0.01, dispersionOf: 'final' },
  'estimate/2': { priceMin: 0.001, dispersionOf: 'first' },
} as const satisfies Readonly<Record<string, EstimateFormula>>;

export type EstimateMethod = keyof typeof estimateFormulas;

/** The formula that new weights are fitted for. */
export const estimateMethod: EstimateMethod = 'estimate/2';

/** Name, version and thresholds of the method, so that a reader can recompute every number. */
export interface Method {
  readonly name: string;
  readonly pooling: string;
  readonly thresholds: Readonly<Record<string, number>>;
}

const pooling = 'logarithmic pool (normalised geometric mean) of the members’ final forecasts, equal weights';

const thresholds = {
  pool_clamp_min: poolClampMin,
  pool_clamp_max: poolClampMax,
  blend_council_weight: blendCouncilWeight,
  log_score_clamp_min: logScoreClampMin,
  quorum_opinions: quorumOpinions,
  dissent_min_points: dissentMinPoints,
  outcomes_max: outcomesMax,
  spread_trusted: spreadTrusted,
  implied_sum_min: impliedSumMin,
  implied_sum_max: impliedSumMax,
  conflict_favourite_points: conflictFavouritePoints,
  conflict_total_variation: conflictTotalVariation,
  market_favourite_tie_points: marketFavouriteTiePoints,
  edge_min_points: edgeMinPoints,
  edge_min_points_degraded: edgeMinPointsDegraded,
  edge_min_return: edgeMinReturn,
  share_cost_min: shareCostMin,
  share_cost_max: shareCostMax,
  quote_fresh_seconds: quoteFreshSeconds,
  top_bets_max: topBetsMax,
  confidence_max: confidenceMax,
  confidence_spread_zero: confidenceSpreadZero,
  confidence_degraded: confidenceDegraded,
  confidence_in_conflict: confidenceInConflict,
  confidence_without_evidence: confidenceWithoutEvidence,
  pick_min_return: pickMinReturn,
  dispersion_usual: dispersionUsual,
};

/**
 * The versions of the method. `council/2` computes every number of `council/1` alike and adds some: the outside view, the
 * resolution risk, the distance to the market and the stakes. A report is computed by the version that it names.
 */
export const methods = {
  'council/1': { name: 'council/1', pooling, thresholds },
  'council/2': {
    name: 'council/2',
    pooling,
    thresholds: {
      ...thresholds,
      market_gap_min_points: marketGapMinPoints,
      stake_kelly_share: stakeKellyShare,
      stake_event_max: stakeEventMax,
      stake_decimals: stakeDecimals,
    },
  },
} as const satisfies Readonly<Record<string, Method>>;

export type MethodName = keyof typeof methods;

/** The version that new reports are computed by. */
export const method = methods['council/2'];
