import { randomBytes, randomUUID } from 'node:crypto';
import type { KeyVendor } from '../../../council/models.js';
import { openAccount } from '../../../db/accounts/accounts.js';
import { apiKeyHash, mintApiKey } from '../../../db/accounts/api-keys.js';
import { putProviderKey } from '../../../db/accounts/provider-keys.js';
import type { Db } from '../../../db/database.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import type { EncryptionKey } from '../../../platform/keys/key-ring.js';
import { seal } from '../../../platform/keys/seal.js';
import { displayPrefix, makeApiKey } from '../../../purchase/api-key.js';
import type { Lane } from '../../../purchase/purchase.js';
import { subscribe } from '../../support/service/subscribe.js';
import { useUpGrants } from '../../support/service/use-up-grants.js';
import type { RandomSource } from '../faults/random-source.js';

/** An account that buys reports. */
export interface Customer {
  readonly accountId: string;
  readonly apiKey: string;
  /** The purchased credits that it was given. */
  credits: number;
  readonly lanes: readonly Lane[];
  /** The customer's own provider keys. */
  readonly ownKeys: readonly string[];
  /** The events requested so far, each with its report. */
  readonly events: Map<string, number | null>;
}

const kinds = { plain: 55, granted: 10, subscriber: 15, own_keys: 15, poor: 5 } as const;
/** Customers that always have credits, and pay with them. */
export const withCreditsOnly = { plain: 1, granted: 0, subscriber: 0, own_keys: 0, poor: 0 } as const;
const atOnce = 8;

/**
 * Opens accounts through the service's own functions, each with an API key and a way to pay.
 * @param weights how often there is each kind of customer
 */
export async function openCustomers(
  world: { db: Db; keyRing: readonly EncryptionKey[]; random: RandomSource },
  count: number,
  weights: Readonly<Record<keyof typeof kinds, number>> = kinds,
): Promise<readonly Customer[]> {
  const wanted = Array.from({ length: count }, () => world.random.weighted(weights)).values();
  const opened: Customer[] = [];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const kind of wanted) opened.push(await openCustomer(world, kind));
    }),
  );
  return opened;
}

async function openCustomer(
  { db, keyRing }: { db: Db; keyRing: readonly EncryptionKey[] },
  kind: keyof typeof kinds,
): Promise<Customer> {
  const now = new Date();
  const subject = randomUUID();
  const { id: accountId } = await openAccount(db, { issuer: 'chaos', subject, email: null, newId: subject });
  const apiKey = makeApiKey(randomBytes);
  await mintApiKey(db, {
    id: randomUUID(),
    accountId,
    name: 'chaos',
    keyPrefix: displayPrefix(apiKey),
    keyHash: apiKeyHash(apiKey),
    now,
  });
  if (kind !== 'granted') await useUpGrants(db, accountId, now);
  const credits = kind === 'poor' ? 10 : 3_000;
  await grantCredits(db, { accountId, credits, reason: 'chaos', operationId: randomUUID(), now });
  if (kind === 'subscriber') await subscribe(db, accountId);
  const ownKeys = kind === 'own_keys' ? await storeKeys(db, keyRing, accountId) : [];
  const lanes: Lane[] = ['credits'];
  if (kind === 'subscriber') lanes.push('subscription');
  if (kind === 'own_keys') lanes.push('byok');
  return { accountId, apiKey, credits, lanes, ownKeys, events: new Map() };
}

/** One key for OpenRouter, or one for each vendor. */
async function storeKeys(db: Db, keyRing: readonly EncryptionKey[], accountId: string): Promise<string[]> {
  const vendors: readonly KeyVendor[] =
    accountId < '8' ? ['openrouter'] : ['openai', 'anthropic', 'google', 'xai'];
  const keys: string[] = [];
  for (const provider of vendors) {
    const id = randomUUID();
    const key = `own-${provider}-${accountId}`;
    const sealed = seal(keyRing, key, { keyId: id, accountId, provider }, randomBytes);
    await putProviderKey(db, { id, accountId, provider, sealed, last4: key.slice(-4), now: new Date() });
    keys.push(key);
  }
  return keys;
}
