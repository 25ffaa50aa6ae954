import { weekOf } from '../calendar.js';

/** A lot of the weekly grant that may still pay: this week's, or one that a refund has put credits back into. */
export interface GrantLot {
  /** YYYY-MM-DD, a Monday. */
  readonly week: string;
  readonly isUsed: boolean;
  /** False when the week is over until which what was given back can be used. */
  readonly isInTime: boolean;
  readonly heldCredits: number;
}

/** The lot that pays for a fresh report. */
export interface UsableGrant {
  readonly accountId: string;
  /** YYYY-MM-DD, a Monday. */
  readonly week: string;
  /** Credits that a refund left in it; 0 in a lot that was not opened yet. */
  readonly heldCredits: number;
}

/**
 * The lot that would pay a fresh report now: one that was given back before the week's own. Null when there is none.
 * @param lots the account's, by week
 */
export function usableGrant(accountId: string, lots: readonly GrantLot[], now: Date): UsableGrant | null {
  const week = weekOf(now);
  const givenBack = lots.find(lot => !lot.isUsed && lot.isInTime);
  if (givenBack !== undefined) return { accountId, week: givenBack.week, heldCredits: givenBack.heldCredits };
  return lots.some(lot => lot.week === week) ? null : { accountId, week, heldCredits: 0 };
}
