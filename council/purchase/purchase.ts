import { runsPerHour } from '../limits.js';
import type { Refusal } from '../problems.js';
import type { ReportStatus } from '../report.js';

/** How a report is paid for (`contract` §6). */
export const lanes = ['credits', 'subscription', 'byok'] as const;
export type Lane = (typeof lanes)[number];

/** Which of an account's credits a charge came from, and a refund goes back to. */
export type Pool = 'weekly_grant' | 'purchased';

/** One wish to have a report. `purchaseId` is its identity: however often it is tried, it is charged once. */
export interface PurchaseRequest {
  readonly purchaseId: string;
  readonly accountId: string;
  /** Null when a session asked. */
  readonly apiKeyId: string | null;
  readonly eventId: string;
  /** YYYY-MM-DD, UTC: the day on which one report on the event is shared. */
  readonly utcDay: string;
  readonly lane: Lane;
  readonly quotedCredits: number | null;
  readonly idempotency: Idempotency | null;
  /** ISO 8601. The caller is told "unavailable" after this, so nothing may be charged after it. */
  readonly answerBy: string;
}

export interface Idempotency {
  readonly key: string;
  /** SHA-256, hex, of what was asked: the same key with another wish is a mistake of the caller. */
  readonly fingerprint: string;
}

/** What the caller has bought. */
export interface Receipt {
  readonly kind: 'fresh' | 'cached' | 'owned';
  readonly reportId: number;
  readonly status: ReportStatus;
  readonly creditsSpent: number;
  readonly lane: Lane;
  /** Null on the subscription lane, which takes no credits. */
  readonly pool: Pool | null;
  /** This answer was given before, to the same Idempotency-Key. */
  readonly replayed: boolean;
}

export type PurchaseAnswer = Receipt | Refusal;

/** How far a purchase may go: `owned` and `existing` never begin a run. */
export type AllowedOutcome = 'owned' | 'existing' | 'fresh';

/** `fresh_needed`: nothing to refuse, nothing bought; only a new run can answer this. */
export type PurchaseOutcome = PurchaseAnswer | 'fresh_needed';

/** `credits` 0: nothing was charged, and nothing will be. */
export interface RefundReceipt {
  readonly reportId: number | null;
  readonly credits: number;
}

export function isRefusal(answer: PurchaseAnswer): answer is Refusal {
  return 'refused' in answer;
}

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
