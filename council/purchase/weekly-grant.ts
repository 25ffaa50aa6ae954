import { weekOf } from '../calendar.js';

/** One week's grant: this week's, or an earlier one to which a refund returned credits. */
export interface GrantLot {
  /** YYYY-MM-DD, a Monday. */
  readonly week: string;
  readonly isUsed: boolean;
  /** False once the week in which the returned credits can be used is over. */
  readonly isUnexpired: boolean;
  readonly heldCredits: number;
}

/** The grant that pays for a fresh report. */
export interface UsableGrant {
  readonly accountId: string;
  /** YYYY-MM-DD, a Monday. */
  readonly week: string;
  /** Credits that a refund returned to it; 0 for a grant that has not been used yet. */
  readonly heldCredits: number;
}

/**
 * The grant that would pay for a fresh report now: a refunded one first, then this week's. Null if there is
 * none.
 * @param lots the account's grants, by week
 */
export function usableGrant(accountId: string, lots: readonly GrantLot[], now: Date): UsableGrant | null {
  const week = weekOf(now);
  const refunded = lots.find(lot => !lot.isUsed && lot.isUnexpired);
  if (refunded !== undefined) return { accountId, week: refunded.week, heldCredits: refunded.heldCredits };
  return lots.some(lot => lot.week === week) ? null : { accountId, week, heldCredits: 0 };
}
