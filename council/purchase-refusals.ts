import { runsPerHour } from './limits.js';
import type { Lane } from './purchase.js';
import type { Refusal } from './refusal.js';

/** The ways in which a purchase is refused. Each has recorded nothing and charged nothing. */

export const tooLate: Refusal = {
  refused: 'unavailable',
  detail: 'The purchase could not be made in time. Nothing was charged.',
  retryAfterSeconds: 2,
};

export const notMade: Refusal = {
  refused: 'unavailable',
  detail: 'The purchase could not be made. Nothing was charged.',
  retryAfterSeconds: 5,
};

export const keyReused: Refusal = {
  refused: 'idempotency_mismatch',
  detail: 'This Idempotency-Key was used within the last 24 hours for another request.',
};

export function runLimitExceeded(secondsToNext: number): Refusal {
  return {
    refused: 'run_limit_exceeded',
    detail: `An account may begin ${runsPerHour} fresh runs an hour. Cached and owned reports do not count.`,
    retryAfterSeconds: secondsToNext,
  };
}

export function quoteExpired(costCredits: number): Refusal {
  return {
    refused: 'quote_expired',
    detail: 'The price is more than 15 % away from the quote. Nothing was recorded; check again and retry.',
    data: { cost_credits: costCredits },
  };
}

export function laneUnavailable(lane: Lane, missing: readonly string[]): Refusal {
  return {
    refused: 'lane_unavailable',
    detail: `The lane ${lane} is not set up for this account.`,
    data: { lane, missing },
  };
}

export function insufficientCredits(costCredits: number, balance: number): Refusal {
  return {
    refused: 'insufficient_credits',
    detail: `The report costs ${costCredits} credits and ${balance} are left.`,
    data: { cost_credits: costCredits, balance_credits: balance },
  };
}
