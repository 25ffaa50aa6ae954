import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '../../../db/database.js';
import { createEndpoint, rotateSecret } from '../../../db/webhooks/endpoints.js';
import type { EncryptionKey } from '../../../platform/keys/key-ring.js';
import { seal } from '../../../platform/keys/seal.js';
import { newWebhookSecret } from '../../../platform/webhooks/sign-webhook.js';
import { webhooksPerAccount } from '../../../purchase/limits.js';
import type { WebhookType } from '../../../purchase/webhooks.js';
import type { Customer } from '../load/customers.js';
import type { HookReceiver } from './hook-receiver.js';

/** An endpoint of a customer, with what its owner knows. */
export interface Endpoint {
  readonly id: string;
  readonly accountId: string;
  readonly path: string;
  readonly types: readonly WebhookType[];
  readonly secrets: readonly string[];
}

/** What endpoints want, in turn. */
const typesInTurn: readonly (readonly WebhookType[])[] = [
  ['report.completed', 'report.failed', 'report.graded', 'balance.low'],
  ['report.completed'],
  ['report.failed', 'report.graded'],
  ['report.graded', 'balance.low', 'webhook.test'],
];

/** One endpoint in this many is down for the first five tries of each delivery. */
const downEvery = 10;
/** One in this many has replaced its secret: for a day both sign. */
const rotatedEvery = 4;
/** One customer in this many has no endpoint, and must not cause a delivery. */
const withoutEvery = 5;

/**
 * Opens endpoints of the customers in turn, at most as many each as an account may have, through the service's own
 * functions: an account of the suite has no session.
 */
export async function openEndpoints(
  { db, keyRing, receiver }: { db: Db; keyRing: readonly EncryptionKey[]; receiver: HookReceiver },
  customers: readonly Customer[],
  count: number,
): Promise<readonly Endpoint[]> {
  const owners = customers.filter((_, index) => index % withoutEvery !== 0);
  const most = Math.min(count, owners.length * webhooksPerAccount);
  const opened: Endpoint[] = [];
  for (let index = 0; index < most; index += 1) {
    const owner = owners[index % owners.length];
    if (owner !== undefined)
      opened.push(await openEndpoint({ db, keyRing, receiver }, owner.accountId, index));
  }
  return opened;
}

async function openEndpoint(
  { db, keyRing, receiver }: { db: Db; keyRing: readonly EncryptionKey[]; receiver: HookReceiver },
  accountId: string,
  index: number,
): Promise<Endpoint> {
  const id = randomUUID();
  const path = receiver.pathOf(id, index % downEvery === 0);
  // Another step than that of the down endpoints: each list also has endpoints that are down, and some that are not.
  const types = typesInTurn[Math.floor(index / 3) % typesInTurn.length] ?? [];
  const newSecret = () => {
    const [secret, secretId] = [newWebhookSecret(randomBytes), randomUUID()];
    const place = { keyId: secretId, accountId, provider: 'webhook' };
    return { secret, row: { id: secretId, sealed: seal(keyRing, secret, place, randomBytes) } };
  };
  const [first, second] = [newSecret(), newSecret()];
  const now = new Date();
  const url = `${receiver.url}${path}`;
  const opened = { id, accountId, url, types, description: 'chaos', secret: first.row, now };
  if ((await createEndpoint(db, opened)) === null) throw new Error(`${accountId} has too many endpoints`);
  if (index % rotatedEvery !== 0) return { id, accountId, path, types, secrets: [first.secret] };
  await rotateSecret(db, { accountId, id }, second.row, now);
  return { id, accountId, path, types, secrets: [first.secret, second.secret] };
}
