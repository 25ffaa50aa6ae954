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
