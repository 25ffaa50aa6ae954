import { sql } from 'kysely';
import type { Db, Tx } from '../database.js';

/**
 * Accounts. Invariants:
 * - one account per (issuer, subject), so two logins of one person share one balance;
 * - an address counts as verified only as long as the account has it;
 * - a session of the built-in accounts counts until it is deleted or expires: lookups are not cached;
 * - `lockAccount` is the one lock for everything that is counted: balance, live keys, runs per hour.
 */

export interface Account {
  readonly id: string;
  readonly email: string | null;
  /** Since when the address is known to be its owner's; null if it is not. */
  readonly emailVerifiedAt: Date | null;
}

/** Where mail about the account goes: only to an address that is known to be its owner's. Null if there is none. */
export function mailAddressOf(account: Account | null): string | null {
  return account === null || account.emailVerifiedAt === null ? null : account.email;
}

export interface OpenedIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  /** The present time if the identity's address is verified. Absent or null: nothing is known about it. */
  readonly verifiedAt?: Date | null;
  /** The id of its account, if it has none yet. */
  readonly newId: string;
}

/**
 * The account of an identity; created at its first login. An address that is verified stays so, whatever later logins
 * say, until the account gets another address: what was verified was the former one.
 */
export async function openAccount(db: Db, identity: OpenedIdentity): Promise<Account> {
  const verifiedAt = identity.email === null ? null : (identity.verifiedAt ?? null);
  const known = await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('issuer', '=', identity.issuer)
    .where('subject', '=', identity.subject)
    .executeTakeFirst();
  if (known !== undefined && isUpToDate(known, identity.email, verifiedAt)) return known;
  return db
    .insertInto('accounts')
    .values({
      id: identity.newId,
      issuer: identity.issuer,
      subject: identity.subject,
      email: identity.email,
      email_verified_at: verifiedAt,
    })
    .onConflict(conflict =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({
        email: sql<string | null>`coalesce(excluded.email, accounts.email)`,
        email_verified_at: sql<Date | null>`case
          when lower(coalesce(excluded.email, accounts.email)) is distinct from lower(accounts.email)
          then excluded.email_verified_at
          else coalesce(accounts.email_verified_at, excluded.email_verified_at) end`,
      }),
    )
    .returning(accountColumns)
    .executeTakeFirstOrThrow();
}

/** The same for a session of the built-in accounts. Null if the session has ended. */
export async function openAccountOfSession(
  db: Db,
  identity: OpenedIdentity,
  { sessionId, now }: { sessionId: string; now: Date },
): Promise<Account | null> {
  const { rows } = await sql<Account | { id: null; email: null; emailVerifiedAt: null }>`
    select account.id, account.email, account.email_verified_at as "emailVerifiedAt"
    from auth."session" as session
    left join accounts as account on account.issuer = ${identity.issuer} and account.subject = session."userId"
    where session.id = ${sessionId} and session."userId" = ${identity.subject} and session."expiresAt" > ${now}`.execute(
    db,
  );
  const [found] = rows;
  if (found === undefined) return null;
  const isKnown = found.id !== null && isUpToDate(found, identity.email, identity.verifiedAt ?? null);
  return isKnown ? found : openAccount(db, identity);
}

const accountColumns = ['id', 'email', 'email_verified_at as emailVerifiedAt'] as const;

function isUpToDate(known: Account, email: string | null, verifiedAt: Date | null): boolean {
  const isSameAddress = email === null || email === known.email;
  return isSameAddress && (verifiedAt === null || known.emailVerifiedAt !== null);
}

/** Stores that the address of the account is its owner's. @returns null if there is no such account with an address */
export async function markEmailVerified(db: Db, accountId: string, now: Date): Promise<Account | null> {
  const account = await db
    .updateTable('accounts')
    .set(eb => ({ email_verified_at: eb.fn.coalesce('email_verified_at', eb.val(now)) }))
    .where('id', '=', accountId)
    .where('email', 'is not', null)
    .returning(accountColumns)
    .executeTakeFirst();
  return account ?? null;
}

/** Null if there is no such account. @param accountId a UUID */
export async function findAccount(db: Db, accountId: string): Promise<Account | null> {
  const account = await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account ?? null;
}

/**
 * The accounts that an operator can mean by an address, in any letter case: those that have verified it, or all that
 * have it if none has. With an outside provider several accounts can have one address, and a stranger can name
 * somebody else's.
 */
export async function findAccountsByEmail(db: Db, email: string): Promise<readonly Account[]> {
  const accounts = await db
    .selectFrom('accounts')
    .select(accountColumns)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const verified = accounts.filter(({ emailVerifiedAt }) => emailVerifiedAt !== null);
  return verified.length > 0 ? verified : accounts;
}

/** Whether the address of the account is known to be its owner's, and whether an operator has suspended the account. */
export function standingQuery(db: Db | Tx, accountId: string) {
  return db
    .selectFrom('accounts')
    .select(['email_verified_at as verifiedAt', 'suspended_at as suspendedAt'])
    .where('id', '=', accountId);
}

export async function isVerified(db: Db, accountId: string): Promise<boolean> {
  return ((await standingQuery(db, accountId).executeTakeFirst())?.verifiedAt ?? null) !== null;
}

/** A preview without the account lock, or the decision under it. */
export async function isSuspended(db: Db | Tx, accountId: string): Promise<boolean> {
  return ((await standingQuery(db, accountId).executeTakeFirst())?.suspendedAt ?? null) !== null;
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

/** The e-mail address of the user who was sent a link to a new password, by the link's token. Null if it is not valid. */
export async function findResetAddress(db: Db, token: string, now: Date): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select "user"."email" from auth."verification" as link
    join auth."user" as "user" on "user"."id" = link."value"
    where link."identifier" = ${`reset-password:${token}`} and link."expiresAt" > ${now}`.execute(db);
  return rows[0]?.email ?? null;
}
