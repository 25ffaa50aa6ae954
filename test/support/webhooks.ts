import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../../db/database.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { seal } from '../../platform/keys/seal.js';
import { newWebhookSecret } from '../../platform/webhooks/sign-webhook.js';
import type { WebhookType } from '../../purchase/webhooks.js';

export interface TestEndpoint {
  readonly id: string;
  readonly secret: string;
}

/** An endpoint of an account, written as the API does. */
export async function newEndpoint(
  db: Db,
  keyRing: readonly EncryptionKey[],
  { accountId, url, types }: { accountId: string; url: string; types: readonly WebhookType[] },
): Promise<TestEndpoint> {
  const id = randomUUID();
  await db
    .insertInto('webhook_endpoints')
    .values({ id, account_id: accountId, url, types: [...types], status: 'active', created_at: new Date() })
    .execute();
  return { id, secret: await addSecret(db, keyRing, { accountId, endpointId: id }) };
}

/** A further secret. @param endsAt until when it signs; null for the present one */
export async function addSecret(
  db: Db,
  keyRing: readonly EncryptionKey[],
  { accountId, endpointId, endsAt = null }: { accountId: string; endpointId: string; endsAt?: Date | null },
): Promise<string> {
  const id = randomUUID();
  const secret = newWebhookSecret(randomBytes);
  const sealed = seal(keyRing, secret, { keyId: id, accountId, provider: 'webhook' }, randomBytes);
  await db
    .insertInto('webhook_secrets')
    .values({ id, endpoint_id: endpointId, ...sealed, created_at: new Date(), ends_at: endsAt })
    .execute();
  return secret;
}

/** Asks for a delivery to be sent again, as the API does. */
export async function askAgain(db: Db, deliveryId: string, now: Date): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', ended_at: null, handed_over_at: null, next_attempt_at: now })
    .where('id', '=', deliveryId)
    .execute();
}
