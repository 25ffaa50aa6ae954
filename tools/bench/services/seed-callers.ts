import { randomBytes, randomUUID } from 'node:crypto';
import { openAccount } from '../../../db/accounts/accounts.js';
import { apiKeyHash, mintApiKey } from '../../../db/accounts/api-keys.js';
import type { Db } from '../../../db/database.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { displayPrefix, makeApiKey } from '../../../purchase/api-key.js';

export interface Caller {
  readonly accountId: string;
  readonly apiKey: string;
}

/** More than any measurement spends. */
const credits = 100_000;
const atOnce = 10;

/** Creates accounts with credits and an API key directly in the database, which avoids hashing passwords. */
export async function seedCallers(db: Db, count: number): Promise<readonly Caller[]> {
  const callers: Caller[] = [];
  while (callers.length < count) {
    const batch = Math.min(atOnce, count - callers.length);
    callers.push(...(await Promise.all(Array.from({ length: batch }, () => seedCaller(db)))));
  }
  return callers;
}

async function seedCaller(db: Db): Promise<Caller> {
  const now = new Date();
  const subject = randomUUID();
  const { id: accountId } = await openAccount(db, { issuer: 'bench', subject, email: null, newId: subject });
  await grantCredits(db, { accountId, credits, reason: 'bench', operationId: subject, now });
  const apiKey = makeApiKey(randomBytes);
  await mintApiKey(db, {
    id: randomUUID(),
    accountId,
    name: 'bench',
    keyPrefix: displayPrefix(apiKey),
    keyHash: apiKeyHash(apiKey),
    now,
  });
  return { accountId, apiKey };
}
