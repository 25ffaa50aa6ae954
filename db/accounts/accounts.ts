import { sql } from 'kysely';
import type { Db, Tx } from '../database.js';

/**
 * Accounts. Invariants:
 * - one account per (issuer, subject), so two logins of one person share one balance;
 * - `lockAccount` is the one lock for everything that is counted: balance, live keys, runs per hour.
 */

export interface Account {
  readonly id: string;
  readonly email: string | null;
}

/** The account of an identity; created at its first login. */
export async function openAccount(
  db: Db,
  identity: { issuer: string; subject: string; email: string | null; newId: string },
): Promise<Account> {
  const known = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst();
  if (known !== undefined && known.email === identity.email) return known;
  return db
    .insertInto('accounts')
    .values({
      id: identity.newId,
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
    })
    .onConflict(conflict =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({
        email: sql<string | null>`coalesce(excluded.email, accounts.email)`,
      }),
    )
    .returning(['id', 'email'])
    .executeTakeFirstOrThrow();
}

/** Null if no account has the address. If an outside provider let several share it, returns the newest. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Locks the account's row until the transaction ends; waits for other transactions that hold the lock. `for no key
 * update`, because rows of other tables refer to the account: their foreign keys take `for key share`, for which a
 * completion would wait, under the lock that every completion needs.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
