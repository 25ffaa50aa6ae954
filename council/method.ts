import type { Method } from './report.js';

/**
 * The numbers of the method `council/1`. A change to any of them is a new version: stored reports name the
 * version they were made with, and replay under it. Evidence for each stands in `council/README.md`.
 */
export const methodName = 'council/1';

export const poolClampMin = 0.01;
export const poolClampMax = 0.99;

/** What the track record grades as the blend: this much council, the rest market, in logits. */
export const blendCouncilWeight = 0.2;
/** What happened is taken to have been given at least this much, or one blunder would be an infinite loss. */
export const logScoreClampMin = 0.001;

export const quorumOpinions = 2;

/** A member this far from the council dissents, and the report says so. */
export const dissentMinPoints = 15;

export const outcomesMax = 40;
export const otherOutcome = 'Any other';

export const spreadTrusted = 0.1;
export const impliedSumMin = 0.9;
export const impliedSumMax = 1.1;

export const conflictFavouritePoints = 10;
export const conflictTotalVariation = 0.25;
/** Market probabilities this close to its highest are all its favourites. */
export const marketFavouriteTiePoints = 1;

export const edgeMinPoints = 5;
export const edgeMinPointsDegraded = 8;
export const edgeMinReturn = 0.05;
export const shareCostMin = 0.03;
export const shareCostMax = 0.97;
export const quoteFreshSeconds = 300;
export const topBetsMax = 5;

/** Four members whose errors correlate at about 0.9 cannot vouch for more than this. */
export const confidenceMax = 85;
/** Members this far apart (0..1) on one outcome have agreed on nothing. */
export const confidenceSpreadZero = 0.5;
export const confidencePerLostModel = 0.9;
export const confidenceInConflict = 0.5;

export const distributionSumTolerancePercent = 2;

/** Comparisons with a threshold forgive this much, so that "5 points" means 5 in decimals, not in binary. */
export const comparisonTolerance = 1e-9;

/** The method a report was made with, thresholds and all, as the report itself publishes it. */
export const publishedMethod: Method = {
  name: methodName,
  pooling: 'logarithmic pool (normalised geometric mean) of the members’ final forecasts, equal weights',
  thresholds: {
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
    confidence_per_lost_model: confidencePerLostModel,
    confidence_in_conflict: confidenceInConflict,
  },
};
