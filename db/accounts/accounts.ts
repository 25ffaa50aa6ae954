import { sql } from 'kysely';
import type { Db, Tx } from '../database.js';

/**
 * Accounts. Invariants:
 * - one account a (issuer, subject): whoever logs in twice is one person with one balance;
 * - `lockAccount` is the one lock of everything that counts: balance, live keys, runs an hour.
 */

export interface Account {
  readonly id: string;
  readonly email: string | null;
}

/** The account behind an identity; opened on first sight. */
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

/** Null when nobody has that address. The newest account wins where an outside provider let two share one. */
export async function findAccountByEmail(db: Db, email: string): Promise<Account | null> {
  const found = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return found ?? null;
}

/** Waits for every other transaction that counts something of this account. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
