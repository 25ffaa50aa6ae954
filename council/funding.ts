import type { Lane } from './purchase.js';
import { insufficientCredits } from './purchase-refusals.js';
import type { Refusal } from './refusal.js';
import type { UsableGrant } from './weekly-grant.js';

/** Out of what a purchase is paid. Nothing on the subscription, which is metered when the report is delivered. */
export type Funding =
  | { readonly pool: 'weekly_grant'; readonly grant: UsableGrant }
  | { readonly pool: 'purchased' }
  | { readonly pool: null };

/** What an account has to pay with. */
export interface Means {
  readonly grant: UsableGrant | null;
  /** Purchased credits. */
  readonly balanceCredits: number;
}

/**
 * What pays for a report, in the order of `contract` §6: the subscription takes no credits; on the credits lane the
 * weekly grant pays a fresh report whole, and purchased credits pay everything else, whether they are enough or not.
 */
export function fundingOf({ grant }: Means, sale: { kind: 'fresh' | 'cached'; lane: Lane }): Funding {
  if (sale.lane === 'subscription') return { pool: null };
  const isGranted = sale.lane === 'credits' && sale.kind === 'fresh' && grant !== null;
  return isGranted ? { pool: 'weekly_grant', grant } : { pool: 'purchased' };
}

/** The refusal of a caller whose purchased credits would have to pay, and are too few; null where they are enough. */
export function shortfall(means: Means, funding: Funding, credits: number): Refusal | null {
  const isShort = funding.pool === 'purchased' && means.balanceCredits < credits;
  return isShort ? insufficientCredits(credits, means.balanceCredits) : null;
}
