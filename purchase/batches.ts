import type { CouncilModel } from '../council/models.js';
import type { RunFailureCode } from '../council/report.js';
import { batchFreshRowsPerDay, batchRowsInFlightPerAccount, runOpenMaxMinutes } from './limits.js';
import type { Refusal, RefusalCode } from './refusal.js';
import type { RunsLeft } from './run-limits.js';

/** `completed`: every row has ended. `cancelled`: no further row is bought; what runs ends. */
export const batchStatuses = ['running', 'paused', 'completed', 'cancelled'] as const;
export type BatchStatus = (typeof batchStatuses)[number];

/**
 * Why a batch is paused: the next row does not fit into its budget; the account cannot pay for it; the house sells no more
 * fresh reports today; its last runs failed because one member did; its owner asked for it.
 */
export const batchPauses = ['budget', 'balance', 'house_limit', 'member', 'asked'] as const;
export type BatchPause = (typeof batchPauses)[number];

/** How a batch is paid for. A weekly grant pays for no row. */
export const batchLanes = ['credits', 'byok'] as const;
export type BatchLane = (typeof batchLanes)[number];

/** The state of a row. Once it is bought, it is that of its report. */
export const batchRowStates = ['waiting', 'running', 'completed', 'failed', 'refused'] as const;
export type BatchRowState = (typeof batchRowStates)[number];

/** A batch pauses when so many runs in a row had too few opinions, and the same member failed in each of them. */
export const batchFailuresInRow = 3;

/** Vendors' refusals of too many requests (429) count for a minute, in slots of five seconds. */
export const throttleSlotSeconds = 5;
export const throttleSlots = 12;

/** In how many of the last {@link throttleSlots} a member's vendor asked for fewer requests. Absent: in none. */
export type ThrottledSlots = Readonly<Partial<Record<CouncilModel, number>>>;

/**
 * The share of its rows that a batch may have in flight: half for each slot in which a member was refused. So it narrows
 * within seconds while a vendor refuses, and widens as the refusals get older. Single purchases are not narrowed.
 */
export function windowShare(slots: number): number {
  return 0.5 ** slots;
}

/** How many rows a batch may have in flight now: at least one, of which all learn that the vendor answers again. */
export function rowsInWindow(maxInFlight: number, throttled: ThrottledSlots): number {
  const worst = Math.max(0, ...Object.values(throttled));
  return Math.max(1, Math.floor(maxInFlight * windowShare(worst)));
}

/** A pause that nobody asked for. */
export type OwnPause =
  | { readonly reason: 'budget' | 'balance' | 'house_limit' }
  | { readonly reason: 'member'; readonly member: CouncilModel };

/** How many rows are in each state, and what they have been charged. */
export interface BatchProgress {
  readonly status: BatchStatus;
  readonly pausedReason: BatchPause | null;
  /** The member whose failures have paused the batch. */
  readonly pausedMember: CouncilModel | null;
  readonly rows: Readonly<Record<BatchRowState | 'total', number>>;
  readonly credits: { readonly budget: number; readonly spent: number };
}

/** What the owner of a batch can ask for. Absent: it stays as it is. */
export interface BatchChange {
  readonly budgetCredits?: number;
  readonly status?: 'running' | 'paused' | 'cancelled';
  /** Failed and refused rows are bought again. */
  readonly retry?: true;
}

/** `ended`: the batch buys nothing more. `below_spent`: more is spent than the budget would be. */
export type BatchChangeAnswer = 'changed' | 'ended' | 'below_spent';

/** Why a row was refused, or its run failed and was refunded. */
export type BatchRowCode = RefusalCode | RunFailureCode;

/** The row that a purchase is for. */
export interface BatchRow {
  readonly batchId: string;
  /** Its place in the batch, from 1. */
  readonly position: number;
}

/** What a purchase for a row is decided on besides, as of the same moment. */
export interface BatchSituation {
  readonly status: BatchStatus;
  readonly isRowWaiting: boolean;
  readonly budgetCredits: number;
  /** What its rows have been charged and not refunded, running ones included. */
  readonly spentCredits: number;
  /** The most that a row may cost; null without a limit. */
  readonly maxCreditsEach: number | null;
  /** Fresh rows of all batches of the account that run now. */
  readonly rowsInFlight: number;
  /** Fresh rows of all batches of the account that were bought in this UTC day, refunded ones included. */
  readonly freshRowsToday: number;
  readonly secondsToNextDay: number;
}

/** The rows in flight end within this time, so the next try soon finds a place. */
const placeFreeAfterSeconds = 5;

/** A run is lost after this time, and takes no place in flight any more. */
export const batchRowInFlightMaxMinutes = runOpenMaxMinutes;

/** How many fresh rows the account may start: batches have a bound of their own, and leave the runs of an hour alone. */
export function batchRunsLeft({ rowsInFlight, freshRowsToday, secondsToNextDay }: BatchSituation): RunsLeft {
  const today = Math.max(0, batchFreshRowsPerDay - freshRowsToday);
  if (today === 0) return { left: 0, secondsToNext: secondsToNextDay };
  const places = Math.max(0, batchRowsInFlightPerAccount - rowsInFlight);
  return { left: Math.min(today, places), secondsToNext: places === 0 ? placeFreeAfterSeconds : 0 };
}

/** Why a row is not bought at this price; null if its batch allows it. */
export function refusalOfRow(batch: BatchSituation, credits: number): Refusal | null {
  const { status, isRowWaiting, budgetCredits, spentCredits, maxCreditsEach } = batch;
  if (status !== 'running' || !isRowWaiting) return rowNotWanted;
  if (maxCreditsEach !== null && credits > maxCreditsEach) return rowTooExpensive(credits, maxCreditsEach);
  return spentCredits + credits > budgetCredits ? budgetReached(credits, batch) : null;
}

/** Its batch was paused or cancelled, or another attempt has bought the row. */
const rowNotWanted: Refusal = {
  refused: 'unavailable',
  detail: 'The batch does not buy this row now. Nothing was charged.',
  retryAfterSeconds: 1,
};

function rowTooExpensive(credits: number, maxCreditsEach: number): Refusal {
  return {
    refused: 'quote_expired',
    detail: `The report costs ${credits} credits, and a row of the batch may cost ${maxCreditsEach}. Nothing was charged.`,
    data: { cost_credits: credits },
  };
}

function budgetReached(credits: number, { budgetCredits, spentCredits }: BatchSituation): Refusal {
  return {
    refused: 'insufficient_credits',
    detail: `The report costs ${credits} credits, and ${budgetCredits - spentCredits} of the budget are left. Nothing was charged.`,
    data: { cost_credits: credits },
    pausesBatch: 'budget',
  };
}

/** What follows for a row and its batch from a refused purchase. */
export type AfterRefusal =
  | { readonly kind: 'pause'; readonly reason: 'budget' | 'balance' | 'house_limit' }
  /** The row is tried again; where the reason is not of this row, no other is tried before. */
  | { readonly kind: 'wait'; readonly waits: 'row' | 'batch'; readonly seconds: number }
  | { readonly kind: 'refuse' };

/** A row is refused for good only where the same purchase would be refused again. */
export function afterRefusal({
  refused,
  pausesBatch,
  countedAs,
  retryAfterSeconds: seconds = placeFreeAfterSeconds,
}: Refusal): AfterRefusal {
  if (pausesBatch !== undefined) return { kind: 'pause', reason: pausesBatch };
  switch (refused) {
    case 'insufficient_credits':
      return { kind: 'pause', reason: 'balance' };
    case 'house_limit_reached':
      return { kind: 'pause', reason: 'house_limit' };
    case 'unavailable':
      return { kind: 'wait', waits: countedAs === 'event_rests' ? 'row' : 'batch', seconds };
    case 'run_limit_exceeded':
    case 'key_limit_reached_today':
      return { kind: 'wait', waits: 'batch', seconds };
    case 'quote_expired':
    case 'event_closed':
    case 'event_not_found':
    case 'lane_unavailable':
    case 'idempotency_mismatch':
    case 'account_suspended':
      return { kind: 'refuse' };
  }
}
