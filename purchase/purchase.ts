import type { ReportStatus } from '../council/report.js';
import type { BatchRow } from './batches.js';
import {
  batchFreshRowsPerDay,
  batchRowsInFlightPerAccount,
  grantsPerNetworkPerDay,
  runsPerHour,
  uncountedRefundsPerHour,
} from './limits.js';
import type { Refusal } from './refusal.js';
import type { GrantClaimant } from './weekly-grant.js';

/** How a report is paid for. */
export const lanes = ['credits', 'subscription', 'byok'] as const;
export type Lane = (typeof lanes)[number];

/** The credits that a charge is taken from and a refund returns to. */
export type Pool = 'weekly_grant' | 'purchased';

/** A request to buy a report. Charged at most once per `purchaseId`, however often it is retried. */
export interface PurchaseRequest {
  readonly purchaseId: string;
  readonly accountId: string;
  /** Null for a request with a session. */
  readonly apiKeyId: string | null;
  readonly eventId: string;
  /** YYYY-MM-DD, UTC: the day on which one report on the event is shared. */
  readonly utcDay: string;
  readonly lane: Lane;
  readonly quotedCredits: number | null;
  /** The most that a subscription may be billed; null without a limit. */
  readonly quotedUsdCents: number | null;
  /** The pool that the caller was told would pay; absent or null if the request names none. */
  readonly quotedPool?: Pool | null;
  /** Who asks, for the weekly grant. Absent if the API process is older than this field. */
  readonly claimant?: GrantClaimant;
  /** The fewest opinions of a report that the caller buys, 2 to 4. Absent if the API process is older than this field: 2. */
  readonly minMembers?: number;
  readonly idempotency: Idempotency | null;
  /** The row of a batch that the report is bought for. Absent: it is bought by itself. */
  readonly row?: BatchRow;
  /**
   * ISO 8601, by the clock of the database, which decides whether it has passed: the clocks of API and worker differ.
   * Afterwards the caller has received "unavailable", so nothing may be charged. Null if the process that answers the
   * caller also charges.
   */
  readonly answerBy: string | null;
}

export interface Idempotency {
  readonly key: string;
  /** SHA-256, hex, of the request: using the key for a different request is an error of the caller. */
  readonly fingerprint: string;
}

/** The result of a successful purchase. */
export interface Receipt {
  readonly kind: 'fresh' | 'cached' | 'owned';
  readonly reportId: number;
  readonly status: ReportStatus;
  readonly creditsSpent: number;
  readonly lane: Lane;
  /** Null on the subscription lane, which takes no credits. */
  readonly pool: Pool | null;
  /** The stored answer to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

export type PurchaseAnswer = Receipt | Refusal;

/** What a purchase may result in: with `owned` and `existing` it never starts a run. */
export type AllowedOutcome = 'owned' | 'existing' | 'fresh';

/** `fresh_needed`: neither refused nor bought, because it takes a new run. */
export type PurchaseOutcome = PurchaseAnswer | 'fresh_needed';

/** `credits` is 0 if nothing was charged; nothing will be charged later either. */
export interface RefundReceipt {
  readonly reportId: number | null;
  readonly credits: number;
  /** The report was completed before, and is not refunded. */
  readonly isDelivered: boolean;
}

export function isRefusal(answer: PurchaseAnswer): answer is Refusal {
  return 'refused' in answer;
}

/** Every refusal below has recorded nothing and charged nothing. */
export const purchaseTimedOut: Refusal = {
  refused: 'unavailable',
  detail: 'The purchase could not be completed in time. Nothing was charged.',
  retryAfterSeconds: 2,
};

/** True of a purchase that was refused before its run, and of one that was withdrawn after it. */
export const reportNotStarted: Refusal = {
  refused: 'unavailable',
  detail: 'The report could not be started. Nothing was charged, and nothing will be.',
  retryAfterSeconds: 5,
};

const eventClosed: Refusal = { refused: 'event_closed', detail: 'The event no longer trades.' };

const eventProvisional: Refusal = {
  refused: 'event_closed',
  detail:
    'The markets of this event are provisional: the venue may remove them if nobody trades them. Nothing was charged.',
};

/** The refusal of an event that has nothing to forecast. */
export function nothingToForecast(isProvisional: boolean): Refusal {
  return isProvisional ? eventProvisional : eventClosed;
}

export const idempotencyKeyReused: Refusal = {
  refused: 'idempotency_mismatch',
  detail: 'This Idempotency-Key was used for a different request within the last 24 hours.',
};

export function runLimitExceeded(secondsToNext: number): Refusal {
  return {
    refused: 'run_limit_exceeded',
    detail: `An account may start ${runsPerHour} fresh runs per hour. Cached and owned reports do not count, nor do up to ${uncountedRefundsPerHour} refunded runs.`,
    retryAfterSeconds: secondsToNext,
  };
}

/** An operator has suspended the account. It can read everything that it owns, and buy nothing. */
export const accountSuspended: Refusal = {
  refused: 'account_suspended',
  detail:
    'This account is suspended and cannot buy. Everything that it owns stays readable. Ask the operator.',
};

/**
 * The API key may not spend that much today. Other keys, and sessions, may.
 * @param resetsAt ISO 8601: the next midnight UTC
 */
export function keyLimitReachedToday(
  maxCreditsPerDay: number,
  spentCredits: number,
  resetsAt: string,
): Refusal {
  return {
    refused: 'key_limit_reached_today',
    detail: `This API key may spend ${maxCreditsPerDay} credits a day and has spent ${spentCredits}. Nothing was charged.`,
    data: { max_credits_per_day: maxCreditsPerDay, spent_credits: spentCredits, resets_at: resetsAt },
  };
}

/** The models of the day have cost what the operator allows. Reports that exist, and callers' own keys, go on. */
export function houseLimitReached(secondsToNextDay: number): Refusal {
  return {
    refused: 'house_limit_reached',
    detail:
      'The service starts no more fresh reports today. Nothing was charged. Cached and owned reports remain available, and so does the lane byok.',
    retryAfterSeconds: secondsToNextDay,
  };
}

export function rowLimitExceeded(secondsToNext: number): Refusal {
  return {
    refused: 'run_limit_exceeded',
    detail: `The batches of an account may have ${batchRowsInFlightPerAccount} fresh rows in flight and start ${batchFreshRowsPerDay} a day.`,
    retryAfterSeconds: secondsToNext,
  };
}

/** Today's weekly grants have cost what the operator allows. An unused grant stays, and can be used later. */
export function grantLimitReached(secondsToNextDay: number): Refusal {
  return {
    refused: 'house_limit_reached',
    detail:
      'The service starts no more free reports today. Nothing was charged, and the weekly grant stays usable until the end of its week. Purchased credits pay if the price check says so and the purchase repeats it as `quoted_pool`.',
    retryAfterSeconds: secondsToNextDay,
  };
}

/** The network of the request has had its weekly grants of today. The grant of the account stays. */
export function networkGrantsReached(secondsToNextDay: number): Refusal {
  return {
    refused: 'house_limit_reached',
    detail: `At most ${grantsPerNetworkPerDay} free reports a day start from one network. Nothing was charged, and the weekly grant stays usable, from another network or tomorrow, until the end of its week. Purchased credits pay if the price check says so and the purchase repeats it as \`quoted_pool\`.`,
    retryAfterSeconds: secondsToNextDay,
    countedAs: 'network_grants_reached',
  };
}

/** The runs of the event have failed repeatedly, so another would probably fail too. */
export function eventRests(secondsLeft: number): Refusal {
  return {
    refused: 'unavailable',
    detail:
      'Runs of this event failed repeatedly, so it starts no run for a while. Nothing was charged. Retry later or choose another event.',
    retryAfterSeconds: secondsLeft,
    countedAs: 'event_rests',
  };
}

export function quoteExpired(costCredits: number): Refusal {
  return {
    refused: 'quote_expired',
    detail:
      'The price differs from the quote by more than 15 %. Nothing was charged. Check the price and retry.',
    data: { cost_credits: costCredits },
  };
}

/** The weekly grant that the caller was quoted has been used since. */
export function poolQuoteExpired(costCredits: number): Refusal {
  return {
    refused: 'quote_expired',
    detail:
      'The weekly grant no longer pays for this report; purchased credits would. Nothing was charged. Check the price and retry.',
    data: { cost_credits: costCredits },
  };
}

/** The same for the subscription lane, which takes no credits. */
export function usdQuoteExpired(priceUsdCents: number): Refusal {
  return {
    refused: 'quote_expired',
    detail:
      'The subscription would be billed more than the quote in dollars. Nothing was charged. Check the price and retry.',
    data: { cost_credits: 0, price_usd_cents: priceUsdCents },
  };
}

/** @param nextStep what the account has to do; by default, to set up what is missing */
export function laneUnavailable(lane: Lane, missing: readonly string[], nextStep?: string): Refusal {
  const detail = `The lane ${lane} is not set up for this account.`;
  return {
    refused: 'lane_unavailable',
    detail: nextStep === undefined ? detail : `The lane ${lane} does not pay for this account. ${nextStep}`,
    data: { lane, missing },
  };
}

/** @param owed while it is above 0, credits pay for nothing; buying credits settles it */
export function insufficientCredits(costCredits: number, balance: number, owed: number): Refusal {
  const detail =
    owed === 0
      ? `The report costs ${costCredits} credits. The balance is ${balance}.`
      : `The account owes ${owed} credits, which were spent before their payment was refunded or disputed. Buy credits: what is owed is deducted from them, and the rest can be spent.`;
  return {
    refused: 'insufficient_credits',
    detail,
    data: { cost_credits: costCredits, balance_credits: balance, owed_credits: owed },
  };
}
