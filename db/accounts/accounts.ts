import { sql } from 'kysely';
import type { Db, Tx } from '../database.js';

/**
 * Accounts. Invariants:
 * - one account per (issuer, subject), so two logins of one person share one balance;
 * - a session of the built-in accounts counts until it is deleted or expires: lookups are not cached;
 * - `lockAccount` is the one lock for everything that is counted: balance, live keys, runs per hour.
 */

export interface Account {
  readonly id: string;
  readonly email: string | null;
}

export interface NewIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** The id of its account, if it has none yet. */
  readonly newId: string;
}

/** The account of an identity; created at its first login. */
export async function openAccount(db: Db, identity: NewIdentity): Promise<Account> {
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

/** The same for a session of the built-in accounts. Null if the session has ended. */
export async function openAccountOfSession(
  db: Db,
  identity: NewIdentity,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<Account | null> {
  const { rows } = await sql<Account | { id: null; email: null }>`
    select account.id, account.email
    from auth."session" as session
    left join accounts as account on account.issuer = ${identity.issuer} and account.subject = session."userId"
    where session.id = ${sessionId} and session."userId" = ${identity.subject} and session."expiresAt" > ${now}`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) return null;
  return found.id !== null && found.email === identity.email ? found : openAccount(db, identity);
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
