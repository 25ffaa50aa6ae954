import { sql } from 'kysely';
import type { Db, Tx } from '../database.js';
import { type Account, lockAccount } from './accounts.js';

/**
 * What an operator decides about an account. Invariants:
 * - it changes under the account lock, so a purchase is decided before it or after it, never across it;
 * - a suspended account keeps everything that it owns, and its runs end as always: it only buys nothing more.
 */
export interface Standing {
  readonly emailVerifiedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly suspendedBecause: string | null;
}

/** The accounts with that id, or with that address, which an outside provider may let several share. */
export async function findAccounts(
  db: Db,
  who: { readonly id: string } | { readonly email: string },
): Promise<readonly Account[]> {
  return db
    .selectFrom('accounts')
    .select(['id', 'email', 'email_verified_at as emailVerifiedAt'])
    .$if('id' in who, query => query.where('id', '=', 'id' in who ? who.id : ''))
    .$if('email' in who, query =>
      query.where(sql`lower(email)`, '=', 'email' in who ? who.email.toLowerCase() : ''),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function readStanding(db: Db, accountId: string): Promise<Standing> {
  return db
    .selectFrom('accounts')
    .select([
      'email_verified_at as emailVerifiedAt',
      'suspended_at as suspendedAt',
      'suspended_because as suspendedBecause',
    ])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
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

/** Takes the address as its owner's, as if the owner had followed the link. @returns false if it was verified */
export function verifyAddress(db: Db, accountId: string, now: Date): Promise<boolean> {
  return changed(db, accountId, tx =>
    tx
      .updateTable('accounts')
      .set({ email_verified_at: now })
      .where('id', '=', accountId)
      .where('email_verified_at', 'is', null)
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
