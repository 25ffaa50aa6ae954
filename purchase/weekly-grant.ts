import { weekOf } from '../council/calendar.js';
import { grantsPerNetworkPerDay, networksPerSite } from './limits.js';

/** One week's grant: this week's, or an earlier one to which a refund returned credits. */
export interface GrantLot {
  /** YYYY-MM-DD, a Monday. */
  readonly week: string;
  readonly isUsed: boolean;
  /** False once the week in which the returned credits can be used is over. */
  readonly isUnexpired: boolean;
  /** 0 if it is used or has expired. */
  readonly heldCredits: number;
}

/** The grant that pays for a fresh report. */
export interface UsableGrant {
  readonly accountId: string;
  /** YYYY-MM-DD, a Monday. */
  readonly week: string;
  /** Credits that a refund returned to it; 0 for a grant that has not been used yet. */
  readonly heldCredits: number;
  /** It has not been used yet, and is given to the mailbox and the network of the request as well. */
  readonly isNew: boolean;
  /** The network of the request has had its grants of today. The grant pays from elsewhere, or tomorrow. */
  readonly isHeldBack: boolean;
}

/** Who asks for a grant, besides the account, as keyed hashes. Null: not known, or not counted. */
export interface GrantClaimant {
  readonly mailbox: string | null;
  /** The network by which requests are counted: an IPv4 address, or an IPv6 network. */
  readonly network: string | null;
  /** The larger IPv6 network around it. */
  readonly site: string | null;
}

/** A claimant of whom nothing is known, such as an operator: the grant is the account's alone. */
export const nobody: GrantClaimant = { mailbox: null, network: null, site: null };

/** What others have taken of a claimant's grants. */
export interface GrantsClaimed {
  /** An account of the same mailbox has taken this week's. */
  readonly byMailbox: boolean;
  readonly byNetworkToday: number;
  readonly bySiteToday: number;
}

/** A new grant after what others have taken: null for a mailbox that has had its own. */
export function grantLeft(grant: UsableGrant, claimed: GrantsClaimed): UsableGrant | null {
  if (!grant.isNew) return grant;
  if (claimed.byMailbox) return null;
  const isHeldBack =
    claimed.byNetworkToday >= grantsPerNetworkPerDay ||
    claimed.bySiteToday >= grantsPerNetworkPerDay * networksPerSite;
  return { ...grant, isHeldBack };
}

/**
 * The grant that the account has for a fresh report now: a refunded one first, then this week's. Null if there is
 * none. Whether a new one is left to its mailbox is decided by {@link grantLeft}.
 * @param lots the account's grants, by week
 */
export function usableGrant(accountId: string, lots: readonly GrantLot[], now: Date): UsableGrant | null {
  const week = weekOf(now);
  // A lot without credits has expired, by a clock that was ahead of this one.
  const refunded = lots.find(lot => !lot.isUsed && lot.isUnexpired && lot.heldCredits > 0);
  if (refunded !== undefined) {
    return {
      accountId,
      week: refunded.week,
      heldCredits: refunded.heldCredits,
      isNew: false,
      isHeldBack: false,
    };
  }
  return lots.some(lot => lot.week === week)
    ? null
    : { accountId, week, heldCredits: 0, isNew: true, isHeldBack: false };
}
