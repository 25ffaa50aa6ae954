import type { KeyVendor } from '../../council/models.js';
import type { Db, Tx } from '../database.js';
import { lockAccount } from './accounts.js';

/**
 * The callers' own provider keys. Invariants:
 * - a key is stored sealed, never clear: what comes in here is sealed already, and nothing here can open it;
 * - an account has at most one key of a provider; a new one replaces it, whole, in a row with an id of its own,
 *   so that nothing sealed for the old row opens in the new one;
 * - keys are replaced one after the other, under the account's lock, and never seem missing meanwhile;
 * - a deleted key is gone: no row of it stays;
 * - sealing a key anew never overwrites one that was replaced meanwhile.
 */

export interface SealedParts {
  /** Of the encryption key that it was sealed with. */
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
  /** A new one also where a key is replaced; it was sealed under it. */
  readonly id: string;
  readonly accountId: string;
  readonly provider: KeyVendor;
  readonly sealed: SealedParts;
  readonly last4: string;
  readonly now: Date;
}

/** Stores a key in place of the account's earlier one of the same provider. */
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

/** In the order of their providers' names. */
export async function listProviderKeys(db: Db, accountId: string): Promise<readonly ProviderKey[]> {
  return db
    .selectFrom('provider_keys')
    .select(['provider', 'last4', 'updated_at as updatedAt'])
    .where('account_id', '=', accountId)
    .orderBy('provider')
    .execute();
}

/** False when there was none. */
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

/** All of an account's keys, for whoever holds the ring. */
export async function readSealedKeys(db: Db, accountId: string): Promise<readonly SealedKey[]> {
  return db.selectFrom('provider_keys').select(sealedColumns).where('account_id', '=', accountId).execute();
}

/** A page of the keys that were sealed with anything but `kid`, by their ids. @param page.after the last id of the page before */
export async function listKeysNotSealedWith(
  db: Db,
  kid: string,
  page: { after: string | null; limit: number },
): Promise<readonly SealedKey[]> {
  let query = db.selectFrom('provider_keys').select(sealedColumns).where('kid', '<>', kid);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** What keys are sealed with now, and how many with each. */
export async function countKeysByKid(db: Db): Promise<readonly { kid: string; keys: number }[]> {
  return db
    .selectFrom('provider_keys')
    .select(eb => ['kid', eb.fn.countAll<number>().as('keys')])
    .groupBy('kid')
    .orderBy('kid')
    .execute();
}

/** The same key, sealed anew. False when it is no longer sealed as it was: replaced, deleted, or done by another. */
export async function resealProviderKey(
  db: Db,
  { id, from, to }: { id: string; from: Pick<SealedParts, 'kid' | 'iv'>; to: SealedParts },
): Promise<boolean> {
  const resealed = await db
    .updateTable('provider_keys')
    .set({ kid: to.kid, iv: to.iv, tag: to.tag, ciphertext: to.ciphertext })
    .where('id', '=', id)
    .where('kid', '=', from.kid)
    .where('iv', '=', from.iv)
    .returning('id')
    .executeTakeFirst();
  return resealed !== undefined;
}
