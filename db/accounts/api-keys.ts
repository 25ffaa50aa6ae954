import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { liveKeysPerAccount } from '../../purchase/limits.js';
import type { Db } from '../database.js';
import { lockAccount } from './accounts.js';

/**
 * API keys. Invariants:
 * - only the SHA-256 of a key is stored;
 * - an account holds at most 20 live keys, even under concurrent mints;
 * - a revoked key stays revoked and is rejected from the next request on: lookups are not cached.
 */

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly keyPrefix: string;
  /** SHA-256 of the whole key. */
  readonly keyHash: Buffer;
  readonly now: Date;
}

/** Null if the account already holds the maximum of live keys. */
export async function mintApiKey(db: Db, key: NewApiKey): Promise<ApiKey | null> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, key.accountId);
    const { live } = await tx
      .selectFrom('api_keys')
      .select(eb => eb.fn.countAll<number>().as('live'))
      .where('account_id', '=', key.accountId)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    if (live >= liveKeysPerAccount) return null;
    return tx
      .insertInto('api_keys')
      .values({
        id: key.id,
        account_id: key.accountId,
        name: key.name,
        key_prefix: key.keyPrefix,
        key_hash: key.keyHash,
        created_at: key.now,
      })
      .returning(['id', 'name', 'key_prefix', 'created_at', 'last_used_at'])
      .executeTakeFirstOrThrow();
  });
}

/** The live keys, newest first. */
export async function listApiKeys(db: Db, accountId: string): Promise<readonly ApiKey[]> {
  return db
    .selectFrom('api_keys')
    .select(['id', 'name', 'key_prefix', 'created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** False if the account has no such live key. */
export async function revokeApiKey(db: Db, accountId: string, id: string, now: Date): Promise<boolean> {
  const revoked = await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** Revokes every live key of the account. */
export async function revokeApiKeys(db: Db, accountId: string, now: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .execute();
}

export interface KeyHolder {
  readonly apiKeyId: string;
  readonly accountId: string;
  readonly lastUsedAt: Date | null;
}

/** The account of a live key, by the key's SHA-256. */
export async function findKeyHolder(db: Db, keyHash: Buffer): Promise<KeyHolder | null> {
  const { rows } = await sql<KeyHolder>`
    select id as "apiKeyId", account_id as "accountId", last_used_at as "lastUsedAt"
    from api_keys where key_hash = ${keyHash} and revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Never moves `last_used_at` backwards when two requests race. */
export async function recordKeyUse(db: Db, apiKeyId: string, now: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', apiKeyId)
    .where(eb => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
    .execute();
}

/** SHA-256 of the key. With 190 random bits, a slow or salted hash adds nothing. */
export function apiKeyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
