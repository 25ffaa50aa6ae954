import type { NotNull } from 'kysely';
import type { Db, Tx } from '../database.js';
import { lockAccount } from './accounts.js';

/**
 * What an operator decides about an account. Invariants:
 * - it changes under the account lock, so a purchase is decided before it or after it, never across it;
 * - a suspended account keeps everything that it owns, and its runs end as always: it only buys nothing more.
 */
export interface Suspension {
  readonly suspendedAt: Date;
  readonly reason: string;
}

/** Null if the account is not suspended. */
export async function readSuspension(db: Db, accountId: string): Promise<Suspension | null> {
  const found = await db
    .selectFrom('accounts')
    .select(['suspended_at as suspendedAt', 'suspended_because as reason'])
    .where('id', '=', accountId)
    .where('suspended_at', 'is not', null)
    .where('suspended_because', 'is not', null)
    .$narrowType<{ suspendedAt: NotNull; reason: NotNull }>()
    .executeTakeFirst();
  return found ?? null;
}

/** Suspends the account. The first reason and time stay until it is restored. @returns false if it was suspended */
export function suspendAccount(
  db: Db,
  { accountId, reason, now }: { accountId: string; reason: string; now: Date },
): Promise<boolean> {
  return changed(db, accountId, tx =>
    tx
      .updateTable('accounts')
      .set({ suspended_at: now, suspended_because: reason })
      .where('id', '=', accountId)
      .where('suspended_at', 'is', null)
      .returning('id')
      .executeTakeFirst(),
  );
}

/** @returns false if the account was not suspended */
export function restoreAccount(db: Db, accountId: string): Promise<boolean> {
  return changed(db, accountId, tx =>
    tx
      .updateTable('accounts')
      .set({ suspended_at: null, suspended_because: null })
      .where('id', '=', accountId)
      .where('suspended_at', 'is not', null)
      .returning('id')
      .executeTakeFirst(),
  );
}

function changed(db: Db, accountId: string, change: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    return (await change(tx)) !== undefined;
  });
}
