/**
 * The numbers of the method `council/1`. A change to any of them is a new version: stored reports name the
 * version they were made with, and replay under it. Evidence for each stands in `council/README.md`.
 */
export const methodName = 'council/1';

export const poolClampMin = 0.01;
export const poolClampMax = 0.99;

export const quorumOpinions = 2;

export const outcomesMax = 40;
export const otherOutcome = 'Any other';

export const spreadTrusted = 0.1;
export const impliedSumMin = 0.9;
export const impliedSumMax = 1.1;

export const conflictFavouritePoints = 10;
export const conflictTotalVariation = 0.25;

export const edgeMinPoints = 5;
export const edgeMinPointsDegraded = 8;
export const edgeMinReturn = 0.05;
export const shareCostMin = 0.03;
export const shareCostMax = 0.97;
export const quoteFreshSeconds = 300;
export const topBetsMax = 5;

export const distributionSumTolerancePercent = 2;
