import { webhookSecretKeptHours, webhooksPerAccount } from '../../purchase/limits.js';
import type { WebhookDisabledReason, WebhookStatus, WebhookType } from '../../purchase/webhooks.js';
import { lockAccount } from '../accounts/accounts.js';
import type { SealedParts } from '../accounts/provider-keys.js';
import type { Db, Tx } from '../database.js';

/**
 * The addresses to which an account has events sent. Invariants:
 * - an account has at most ten, even under concurrent requests;
 * - an endpoint has one secret without an end; after a rotation the one before signs beside it for a day, so at most two
 *   sign;
 * - secrets are stored encrypted; callers pass them sealed, and no code in `db/` can decrypt them;
 * - deleting an endpoint deletes its secrets and deliveries.
 */
export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly WebhookType[];
  readonly description: string | null;
  readonly status: WebhookStatus;
  readonly disabledReason: WebhookDisabledReason | null;
  readonly createdAt: Date;
  readonly lastDeliveryAt: Date | null;
}

const columns = [
  'id',
  'url',
  'types',
  'description',
  'status',
  'disabled_reason as disabledReason',
  'created_at as createdAt',
  'last_delivery_at as lastDeliveryAt',
] as const;

/** A secret sealed for its own id and the account: copied to another row it cannot be opened. */
export interface NewSecret {
  readonly id: string;
  readonly sealed: SealedParts;
}

export interface NewEndpoint {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly types: readonly WebhookType[];
  readonly description: string | null;
  readonly secret: NewSecret;
  readonly now: Date;
}

/** Null if the account already has the maximum of endpoints. */
export function createEndpoint(db: Db, endpoint: NewEndpoint): Promise<WebhookEndpoint | null> {
  const { id, accountId, url, types, description, secret, now } = endpoint;
  return db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const { held } = await tx
      .selectFrom('webhook_endpoints')
      .select(eb => eb.fn.countAll<number>().as('held'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    if (held >= webhooksPerAccount) return null;
    const created = await tx
      .insertInto('webhook_endpoints')
      .values({
        id,
        account_id: accountId,
        url,
        types: [...types],
        description,
        status: 'active',
        created_at: now,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
    await insertSecret(tx, id, secret, now);
    return created;
  });
}

async function insertSecret(tx: Tx, endpointId: string, { id, sealed }: NewSecret, now: Date): Promise<void> {
  const { kid, iv, tag, ciphertext } = sealed;
  await tx
    .insertInto('webhook_secrets')
    .values({ id, endpoint_id: endpointId, kid, iv, tag, ciphertext, created_at: now })
    .execute();
}

/** Newest first. */
export function listEndpoints(db: Db, accountId: string): Promise<readonly WebhookEndpoint[]> {
  return db
    .selectFrom('webhook_endpoints')
    .select(columns)
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** An endpoint as its owner names it. */
export interface EndpointName {
  readonly accountId: string;
  readonly id: string;
}

/** Null if the account has no such endpoint. */
export async function findEndpoint(db: Db, { accountId, id }: EndpointName): Promise<WebhookEndpoint | null> {
  const found = await db
    .selectFrom('webhook_endpoints')
    .select(columns)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return found ?? null;
}

/** What its owner can change. Absent fields stay. */
export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly types?: readonly WebhookType[] | undefined;
  readonly description?: string | null | undefined;
  readonly status?: WebhookStatus | undefined;
}

/**
 * Changes an endpoint. To disable one that is disabled keeps the first reason; to enable it forgets the reason.
 * @returns null if the account has no such endpoint
 */
export async function changeEndpoint(
  db: Db,
  { accountId, id }: EndpointName,
  { url, types, description, status }: EndpointChanges,
): Promise<WebhookEndpoint | null> {
  const changed = await db
    .updateTable('webhook_endpoints')
    .set(eb => ({
      // A statement has to set something.
      url: url ?? eb.ref('url'),
      ...(types === undefined ? {} : { types: [...types] }),
      ...(description === undefined ? {} : { description }),
      ...(status === undefined ? {} : { status }),
      ...(status === 'active' ? { disabled_reason: null } : {}),
      ...(status === 'disabled'
        ? { disabled_reason: eb.fn.coalesce('disabled_reason', eb.val<WebhookDisabledReason>('asked')) }
        : {}),
    }))
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning(columns)
    .executeTakeFirst();
  return changed ?? null;
}

/** False if the account has no such endpoint. */
export async function deleteEndpoint(db: Db, { accountId, id }: EndpointName): Promise<boolean> {
  const deleted = await db
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Deletes every endpoint of the account. */
export async function deleteEndpoints(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('account_id', '=', accountId).execute();
}

/**
 * Gives an endpoint a new secret. The one before signs for a day beside it; an earlier one ends at once, so that rotating
 * twice ends a secret that others know.
 * @returns false if the account has no such endpoint
 */
export function rotateSecret(
  db: Db,
  { accountId, id }: EndpointName,
  secret: NewSecret,
  now: Date,
): Promise<boolean> {
  return db.transaction().execute(async tx => {
    const endpoint = await tx
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      // Two rotations follow one another; deliveries refer to the row meanwhile.
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (endpoint === undefined) return false;
    await tx
      .deleteFrom('webhook_secrets')
      .where('endpoint_id', '=', id)
      .where('ends_at', 'is not', null)
      .execute();
    await tx
      .updateTable('webhook_secrets')
      .set({ ends_at: new Date(now.getTime() + webhookSecretKeptHours * 3_600_000) })
      .where('endpoint_id', '=', id)
      .execute();
    await insertSecret(tx, id, secret, now);
    return true;
  });
}
