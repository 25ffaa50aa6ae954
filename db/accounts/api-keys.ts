import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { KeyLimits, KeyScope } from '../../purchase/key-limits.js';
import { expiredKeysListedDays, keyNetworksSeenMax, liveKeysPerAccount } from '../../purchase/limits.js';
import type { Db } from '../database.js';
import { lockAccount } from './accounts.js';

/**
 * API keys. Invariants:
 * - only the SHA-256 of a key is stored;
 * - an account holds at most 20 live keys, even under concurrent mints; expired ones are not live;
 * - a revoked key stays revoked and is rejected from the next request on: lookups are not cached;
 * - the limits of a key are those with which it was minted.
 */

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly key_prefix: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  /** The network of the last use; null if it was never used, or not since networks are stored. */
  readonly last_used_from: string | null;
  readonly scope: KeyScope;
  readonly expires_at: Date | null;
  readonly max_credits_per_day: number | null;
}

const keyColumns = [
  'id',
  'name',
  'key_prefix',
  'created_at',
  'last_used_at',
  'last_used_from',
  'scope',
  'expires_at',
  'max_credits_per_day',
] as const;

export interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly keyPrefix: string;
  /** SHA-256 of the whole key. */
  readonly keyHash: Buffer;
  /** Absent: the key may spend, without an end and a limit of its own. */
  readonly limits?: KeyLimits;
  /** The network from which it is minted, whose uses are no news to its owner. */
  readonly network?: string;
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
      .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', key.now)]))
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
        ...(key.network === undefined ? {} : { networks_seen: [key.network] }),
        ...(key.limits === undefined
          ? {}
          : {
              scope: key.limits.scope,
              expires_at: key.limits.expiresAt,
              max_credits_per_day: key.limits.maxCreditsPerDay,
            }),
      })
      .returning(keyColumns)
      .executeTakeFirstOrThrow();
  });
}

/** The keys that are not revoked, newest first. An expired one leaves the list after some weeks. */
export async function listApiKeys(db: Db, accountId: string, now: Date): Promise<readonly ApiKey[]> {
  const listedSince = new Date(now.getTime() - expiredKeysListedDays * 86_400_000);
  return db
    .selectFrom('api_keys')
    .select(keyColumns)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where(eb => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', listedSince)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(listedMax)
    .execute();
}

/** Expired keys do not count against the limit of live ones, so that the list needs a limit of its own. */
const listedMax = 100;

/** False if the account has no such key. */
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
  readonly scope: KeyScope;
  readonly expiresAt: Date | null;
  readonly networksSeen: readonly string[];
}

/** The account of a key that is not revoked, by the key's SHA-256. Whether it has expired is up to the caller's clock. */
export async function findKeyHolder(db: Db, keyHash: Buffer): Promise<KeyHolder | null> {
  const { rows } = await sql<KeyHolder>`
    select id as "apiKeyId", account_id as "accountId", last_used_at as "lastUsedAt", scope, expires_at as "expiresAt",
      networks_seen as "networksSeen"
    from api_keys where key_hash = ${keyHash} and revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

/** A use of a key that its owner may not know of. */
export interface NewNetwork {
  readonly accountId: string;
  readonly keyPrefix: string;
}

/**
 * Stores the last use of a key and its network. Never moves `last_used_at` backwards when two requests race, and finds a
 * network new once, whichever process sees it first.
 * @returns null unless the network is new to the key. The first network of a key that was used before networks were
 * stored is not.
 */
export async function recordKeyUse(
  db: Db,
  apiKeyId: string,
  { network, now }: { readonly network: string; readonly now: Date },
): Promise<NewNetwork | null> {
  const { rows } = await sql<NewNetwork & { isNew: boolean }>`
    with before as (
      select id, last_used_at, networks_seen, ${network}::text = any(networks_seen) as seen,
        last_used_at is null or last_used_at < ${now} as later
      from api_keys where id = ${apiKeyId} for update)
    update api_keys as key set
      last_used_at = greatest(before.last_used_at, ${now}),
      last_used_from = case when before.later then ${network} else key.last_used_from end,
      networks_seen = case when before.seen then before.networks_seen
        else (array[${network}::text] || before.networks_seen)[1:${sql.lit(keyNetworksSeenMax)}] end
    from before where key.id = before.id and (before.later or not before.seen)
    returning key.account_id as "accountId", key.key_prefix as "keyPrefix",
      not before.seen and (before.last_used_at is null or cardinality(before.networks_seen) > 0) as "isNew"`.execute(
    db,
  );
  const [use] = rows;
  return use?.isNew === true ? { accountId: use.accountId, keyPrefix: use.keyPrefix } : null;
}

/** SHA-256 of the key. With 190 random bits, a slow or salted hash adds nothing. */
export function apiKeyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
