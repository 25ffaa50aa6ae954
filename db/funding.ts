import type { Pool, PurchaseRequest } from '../council/purchase.js';
import { insufficientCredits } from '../council/purchase-refusals.js';
import type { Refusal } from '../council/refusal.js';
import type { Db, Tx } from './database.js';
import { balanceCredits } from './ledger.js';
import { findUsableGrant, type UsableGrant } from './weekly-grants.js';

/** Out of what a purchase is paid. Nothing on the subscription, which is metered when the report is delivered. */
export type Funding =
  | { readonly pool: 'weekly_grant'; readonly grant: UsableGrant }
  | { readonly pool: 'purchased' }
  | { readonly pool: null };

/**
 * What pays for a report, in the order of `contract` §6: the subscription takes no credits; on the credits lane the
 * weekly grant pays a fresh report whole, and purchased credits pay everything else.
 */
export async function fundingOf(
  db: Db | Tx,
  { accountId, lane }: Pick<PurchaseRequest, 'accountId' | 'lane'>,
  sale: { kind: 'fresh' | 'cached'; credits: number; now: Date },
): Promise<Funding | Refusal> {
  if (lane === 'subscription') return { pool: null };
  if (lane === 'credits' && sale.kind === 'fresh') {
    const grant = await findUsableGrant(db, accountId, sale.now);
    if (grant !== null) return { pool: 'weekly_grant', grant };
  }
  const balance = await balanceCredits(db, accountId, 'purchased');
  return balance < sale.credits ? insufficientCredits(sale.credits, balance) : { pool: 'purchased' };
}

/** The pool alone, for a caller who only asks what would pay; says nothing of whether it would be enough. */
export async function poolFor(
  db: Db | Tx,
  request: Pick<PurchaseRequest, 'accountId' | 'lane'>,
  sale: { kind: 'fresh' | 'cached'; now: Date },
): Promise<Pool | null> {
  const funding = await fundingOf(db, request, { ...sale, credits: 0 });
  return 'refused' in funding ? 'purchased' : funding.pool;
}
