import type { KeyVendor } from '../../council/models.js';
import type { Db, Tx } from '../database.js';
import { lockAccount } from './accounts.js';

/**
 * The callers' own provider keys. Invariants:
 * - a key is stored encrypted ("sealed"); callers pass it sealed, and no code in `db/` can decrypt it;
 * - an account has at most one key per provider; replacing it inserts a row with a new id, so a ciphertext
 *   sealed for the old row does not open in the new one;
 * - keys are replaced under the account lock in one transaction, so no reader finds the key missing;
 * - deleting a key deletes its row;
 * - re-encryption never overwrites a key that was replaced in the meantime.
 */

export interface SealedParts {
  /** Id of the encryption key. */
  readonly kid: string;
  readonly iv: Buffer;
  readonly tag: Buffer;
  readonly ciphertext: Buffer;
}

export interface ProviderKey {
  readonly provider: KeyVendor;
  readonly last4: string;
  readonly updatedAt: Date;
}

export interface NewProviderKey {
  /** Always a new id, also for a replacement: the ciphertext is bound to it. */
  readonly id: string;
  readonly accountId: string;
  readonly provider: KeyVendor;
  readonly sealed: SealedParts;
  readonly last4: string;
  readonly now: Date;
}

/** Stores a key and replaces the account's earlier key of the same provider. */
export async function putProviderKey(db: Db, key: NewProviderKey): Promise<ProviderKey> {
  const { id, accountId, provider, last4, now } = key;
  const { kid, iv, tag, ciphertext } = key.sealed;
  await db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    await deleteProviderKey(tx, accountId, provider);
    await tx
      .insertInto('provider_keys')
      .values({ id, account_id: accountId, provider, kid, iv, tag, ciphertext, last4, updated_at: now })
      .execute();
  });
  return { provider, last4, updatedAt: now };
}

/** Ordered by provider name. */
export async function listProviderKeys(db: Db, accountId: string): Promise<readonly ProviderKey[]> {
  return db
    .selectFrom('provider_keys')
    .select(['provider', 'last4', 'updated_at as updatedAt'])
    .where('account_id', '=', accountId)
    .orderBy('provider')
    .execute();
}

/** False if there was none. */
export async function deleteProviderKey(
  db: Db | Tx,
  accountId: string,
  provider: KeyVendor,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('provider_keys')
    .where('account_id', '=', accountId)
    .where('provider', '=', provider)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Deletes every key of the account. */
export async function deleteProviderKeys(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('provider_keys').where('account_id', '=', accountId).execute();
}

/** The providers for which the account has stored a key. */
export async function listProvidersWithKey(db: Db | Tx, accountId: string): Promise<readonly KeyVendor[]> {
  const rows = await db
    .selectFrom('provider_keys')
    .select('provider')
    .where('account_id', '=', accountId)
    .orderBy('provider')
    .execute();
  return rows.map(({ provider }) => provider);
}

export interface SealedKey extends SealedParts {
  readonly id: string;
  readonly accountId: string;
  readonly provider: KeyVendor;
}

const sealedColumns = [
  'id',
  'account_id as accountId',
  'provider',
  'kid',
  'iv',
  'tag',
  'ciphertext',
] as const;

/** The account's sealed keys. Only the holder of the key ring can open them. */
export async function readSealedKeys(db: Db, accountId: string): Promise<readonly SealedKey[]> {
  return db.selectFrom('provider_keys').select(sealedColumns).where('account_id', '=', accountId).execute();
}

/**
 * A page of the keys that were sealed with another encryption key than `kid`, ordered by id.
 * @param page.after the last id of the previous page
 */
export async function listKeysNotSealedWith(
  db: Db,
  kid: string,
  page: { after: string | null; limit: number },
): Promise<readonly SealedKey[]> {
  let query = db.selectFrom('provider_keys').select(sealedColumns).where('kid', '<>', kid);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** How many provider keys and secrets of webhooks each encryption key seals. */
export async function countKeysByKid(db: Db): Promise<readonly { kid: string; keys: number }[]> {
  const secrets = db.selectFrom('webhook_secrets').select('kid');
  return db
    .selectFrom(db.selectFrom('provider_keys').select('kid').unionAll(secrets).as('sealed'))
    .select(eb => ['kid', eb.fn.countAll<number>().as('keys')])
    .groupBy('kid')
    .orderBy('kid')
    .execute();
}

/**
 * Replaces the ciphertext of a row. False if it changed since it was read: replaced, deleted, or already
 * resealed.
 */
export async function resealRow(
  db: Db,
  table: 'provider_keys' | 'webhook_secrets',
  { id, from, to }: { id: string; from: Pick<SealedParts, 'kid' | 'iv'>; to: SealedParts },
): Promise<boolean> {
  const resealed = await db
    .updateTable(table)
    .set({ kid: to.kid, iv: to.iv, tag: to.tag, ciphertext: to.ciphertext })
    .where('id', '=', id)
    .where('kid', '=', from.kid)
    .where('iv', '=', from.iv)
    .returning('id')
    .executeTakeFirst();
  return resealed !== undefined;
}
