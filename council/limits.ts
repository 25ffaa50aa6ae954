/** Every number of the product that is not part of the council's method, once, with its unit in its name. */

export const quoteToleranceNumerator = 15n;
export const quoteToleranceDenominator = 100n;
export const cachedPriceDivisor = 2;
export const byokCredits = 50;
export const usdMicrosPerCredit = 10_000;

export const runsPerHour = 5;
export const runWindowSeconds = 3_600;
export const liveKeysPerAccount = 20;

export const idempotencyKeyMaxChars = 255;
export const idempotencyKeptHours = 24;

export const bodyMaxBytes = 64 * 1024;
export const pageSizeDefault = 20;
export const pageSizeMax = 100;
export const waitMaxSeconds = 50;
export const quotedCreditsMax = 1_000_000;
