import { sql } from 'kysely';
import { nextMonday, weekOf } from '../../council/calendar.js';
import { type UsableGrant, usableGrant } from '../../council/purchase/weekly-grant.js';
import { lockAccount } from '../accounts/accounts.js';
import type { Db, Tx } from '../database.js';
import { postTransfer } from './ledger.js';

/**
 * The weekly grant: one fresh report an account and ISO week (UTC). Invariants:
 * - one lot an account and week, ever (primary key), opened when it is first used;
 * - a lot pays one report whole, at that report's price: its credits are issued when it is used, not before;
 * - a refund puts the credits back into the lot, which can be used again until the end of the week of the refund;
 * - what a lot still holds then goes back to the house (`expireGrants`).
 * Callers hold the account's lock.
 */

/** The lot that would pay a fresh report now; null when there is none. */
export async function findUsableGrant(db: Db, accountId: string, now: Date): Promise<UsableGrant | null> {
  return usableGrant(accountId, await grantLotsQuery(db, accountId, now).execute(), now);
}

/** The lots of the account that may pay now, by week. */
export function grantLotsQuery(db: Db | Tx, accountId: string, now: Date) {
  return db
    .selectFrom('weekly_grants')
    .select(eb => [
      'week',
      eb('used_by', 'is not', null).$castTo<boolean>().as('isUsed'),
      eb('usable_until', '>', now).$castTo<boolean>().as('isInTime'),
      'held_credits as heldCredits',
    ])
    .where('account_id', '=', accountId)
    .where(eb => eb.or([eb('usable_until', '>', now), eb('week', '=', weekOf(now))]))
    .orderBy('week');
}

/** Makes the lot hold exactly what the report costs, so that the charge can take it. */
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

/** Notes which purchase the lot has paid for. */
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

/** Makes the lot that paid for a refunded purchase usable again; does nothing for one that no lot has paid for. */
export async function reopenGrant(
  tx: Tx,
  { purchaseId, credits, now }: { purchaseId: string; credits: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('weekly_grants')
    .set({ used_by: null, held_credits: credits, usable_until: nextMonday(now) })
    .where('used_by', '=', purchaseId)
    .execute();
}

/** Takes back what was given back and not used in time. @returns how many lots. */
export async function expireGrants(db: Db, now: Date): Promise<number> {
  const over = await db
    .selectFrom('weekly_grants')
    .select(['account_id', 'week'])
    .where('held_credits', '>', sql.lit(0))
    .where('usable_until', '<=', now)
    .execute();
  for (const lot of over) await expire(db, lot.account_id, lot.week, now);
  return over.length;
}

async function expire(db: Db, accountId: string, week: string, now: Date): Promise<void> {
  await db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const lot = await tx
      .selectFrom('weekly_grants')
      .select('held_credits')
      .where('account_id', '=', accountId)
      .where('week', '=', week)
      .where('held_credits', '>', 0)
      .where('usable_until', '<=', now)
      .executeTakeFirst();
    if (lot === undefined) return;
    await postTransfer(tx, {
      operationKey: `weekly-grant/${week}/${accountId}/expired`,
      kind: 'adjustment',
      accountId,
      reportId: null,
      apiKeyId: null,
      pool: 'weekly_grant',
      house: 'house_issued',
      amountCredits: -lot.held_credits,
      reason: `weekly grant of ${week} expired`,
      now,
    });
    await tx
      .updateTable('weekly_grants')
      .set({ held_credits: 0 })
      .where('account_id', '=', accountId)
      .where('week', '=', week)
      .execute();
  });
}
