import { sql } from 'kysely';
import { nextMonday, weekOf } from '../../council/calendar.js';
import type { SalesPolicy } from '../../purchase/house-ceilings.js';
import {
  type GrantClaimant,
  grantLeft,
  nobody,
  type UsableGrant,
  usableGrant,
} from '../../purchase/weekly-grant.js';
import { isVerified, lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import { readGrantsClaimed } from './grant-claims.js';
import { postTransfer } from './ledger.js';

/**
 * The weekly grant: one free fresh report per account and ISO week (UTC). Invariants:
 * - one lot per account and week (primary key), created when it is first used;
 * - a lot pays one report in full, at that report's price; its credits are issued when it is used, not
 *   before;
 * - a mailbox has one a week, whatever accounts it opens (`grant-claims.ts`);
 * - where grants wait for a verified address, an account without one has no usable lot;
 * - a refund returns the credits to the lot, which is usable again until the end of the week of the refund;
 * - credits still in a lot after that return to the house (`expireGrants`), and the lot pays for nothing more, also by
 *   a clock that is late: no lot expires twice.
 * Callers hold the account lock, except for `findUsableGrant` (a preview) and `expireGrants` (takes it).
 */

/**
 * The lot that would pay a fresh report now; null if there is none, if its mailbox has used this week's, or if grants
 * wait for a verified address and the account has none.
 */
export async function findUsableGrant(
  db: Db,
  accountId: string,
  {
    now,
    policy,
    claimant = nobody,
  }: { now: Date; policy: Pick<SalesPolicy, 'grantNeedsVerifiedAddress'>; claimant?: GrantClaimant },
): Promise<UsableGrant | null> {
  if (policy.grantNeedsVerifiedAddress && !(await isVerified(db, accountId))) return null;
  const grant = usableGrant(accountId, await grantLotsQuery(db, accountId, now).execute(), now);
  if (grant === null || !grant.isNew) return grant;
  return grantLeft(grant, await readGrantsClaimed(db, claimant, { week: grant.week, now }));
}

/** The account's lots that may be usable now, ordered by week. */
export function grantLotsQuery(db: Db | Tx, accountId: string, now: Date) {
  return db
    .selectFrom('weekly_grants')
    .select(eb => [
      'week',
      eb('used_by', 'is not', null).$castTo<boolean>().as('isUsed'),
      eb('usable_until', '>', now).$castTo<boolean>().as('isUnexpired'),
      'held_credits as heldCredits',
    ])
    .where('account_id', '=', accountId)
    .where(eb => eb.or([eb('usable_until', '>', now), eb('week', '=', weekOf(now))]))
    .orderBy('week');
}

/** Adjusts the pool so the lot holds exactly the price of the report, which the charge then takes. */
export async function fillGrant(
  tx: Tx,
  { accountId, week, heldCredits }: UsableGrant,
  purchase: { purchaseId: string; credits: number; now: Date },
): Promise<void> {
  const missing = purchase.credits - heldCredits;
  if (missing === 0) return;
  await postTransfer(tx, {
    operationKey: `weekly-grant/${week}/${purchase.purchaseId}`,
    kind: missing > 0 ? 'grant' : 'adjustment',
    accountId,
    reportId: null,
    apiKeyId: null,
    pool: 'weekly_grant',
    house: 'house_issued',
    amountCredits: missing,
    reason: `weekly grant of ${week}`,
    now: purchase.now,
  });
}

/** Marks the lot as used by the purchase. */
export async function useGrant(tx: Tx, grant: UsableGrant, purchaseId: string, now: Date): Promise<void> {
  await tx
    .insertInto('weekly_grants')
    .values({
      account_id: grant.accountId,
      week: grant.week,
      used_by: purchaseId,
      held_credits: 0,
      usable_until: nextMonday(now),
      created_at: now,
    })
    .onConflict(conflict =>
      conflict.columns(['account_id', 'week']).doUpdateSet({ used_by: purchaseId, held_credits: 0 }),
    )
    .execute();
}

/**
 * Makes the lot that paid for a refunded purchase usable again. Does nothing if no lot paid for it. Its end never moves
 * back: a clock that still shows the week before would take the grant of the new week away.
 */
export async function reopenGrant(
  tx: Tx,
  { purchaseId, credits, now }: { purchaseId: string; credits: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('weekly_grants')
    .set(eb => ({
      used_by: null,
      held_credits: credits,
      usable_until: eb.fn<Date>('greatest', ['usable_until', eb.val(nextMonday(now))]),
    }))
    .where('used_by', '=', purchaseId)
    .execute();
}

export interface ExpiredGrants {
  readonly expired: number;
  /** Lots that could not be expired, and why; the next call tries them again. */
  readonly failures: readonly { readonly accountId: string; readonly week: string; readonly err: unknown }[];
}

/** Returns expired credits to the house, each lot in a transaction of its own: one that fails stops no other. */
export async function expireGrants(db: Db, now: () => Date): Promise<ExpiredGrants> {
  const lots = await db
    .selectFrom('weekly_grants')
    .select(['account_id as accountId', 'week'])
    .where('held_credits', '>', sql.lit(0))
    .where('usable_until', '<=', now())
    .execute();
  let expired = 0;
  const failures = [];
  for (const lot of lots) {
    try {
      if (await expire(db, lot, now)) expired++;
    } catch (err) {
      failures.push({ ...lot, err });
    }
  }
  return { expired, failures };
}

/** The clock is read under the lock, which may have to be waited for. @returns false if another call did it */
async function expire(
  db: Db,
  { accountId, week }: { accountId: string; week: string },
  now: () => Date,
): Promise<boolean> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const at = now();
    const lot = await tx
      .selectFrom('weekly_grants')
      .select(['held_credits', 'usable_until'])
      .where('account_id', '=', accountId)
      .where('week', '=', week)
      .where('held_credits', '>', 0)
      .where('usable_until', '<=', at)
      .executeTakeFirst();
    if (lot === undefined) return false;
    await postTransfer(tx, {
      operationKey: `weekly-grant/${week}/${accountId}/expired/${lot.usable_until.toISOString()}`,
      kind: 'adjustment',
      accountId,
      reportId: null,
      apiKeyId: null,
      pool: 'weekly_grant',
      house: 'house_issued',
      amountCredits: -lot.held_credits,
      reason: `weekly grant of ${week} expired`,
      now: at,
    });
    await tx
      .updateTable('weekly_grants')
      .set({ held_credits: 0 })
      .where('account_id', '=', accountId)
      .where('week', '=', week)
      .execute();
    return true;
  });
}
