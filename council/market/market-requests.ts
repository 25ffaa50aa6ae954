/**
 * What a request to the market is for. `browse`: a search or a read that costs nothing and needs no account. `check`: a
 * price check, or the sale of an existing report. `purchase`: the sale of a fresh report, and finding an event that is bought for the first time. `batch`: a row of a batch. `run`: the report itself.
 */
export const marketPurposes = ['browse', 'check', 'purchase', 'batch', 'run', 'grading'] as const;

export type MarketPurpose = (typeof marketPurposes)[number];

/** `refused`: was not sent, because the budget was used up or the market had asked for a pause. */
export const marketRequestOutcomes = ['answered', 'failed', 'refused'] as const;

export type MarketRequestOutcome = (typeof marketRequestOutcomes)[number];

/** Where the answer to a reader came from: what is kept, the market, or what is kept because the market failed. */
export const marketAnswerOrigins = ['kept', 'market', 'stale', 'unavailable'] as const;

export type MarketAnswerOrigin = (typeof marketAnswerOrigins)[number];
