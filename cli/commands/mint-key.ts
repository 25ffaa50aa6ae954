import { randomBytes, randomUUID } from 'node:crypto';
import { displayPrefix, makeApiKey } from '../../council/api-key.js';
import { liveKeysPerAccount } from '../../council/limits.js';
import { findAccountByEmail } from '../../db/accounts.js';
import { apiKeyHash } from '../../db/api-key-hash.js';
import { mintApiKey } from '../../db/api-keys.js';
import type { Db } from '../../db/database.js';
import type { Output } from '../output.js';

export async function mintKey(
  db: Db,
  output: Output,
  { email, name }: { email: string; name: string },
): Promise<void> {
  const account = await findAccountByEmail(db, email);
  if (account === null) throw new Error(`There is no account with the address ${email}.`);
  const key = makeApiKey(randomBytes);
  const minted = await mintApiKey(db, {
    id: randomUUID(),
    accountId: account.id,
    name,
    keyPrefix: displayPrefix(key),
    keyHash: apiKeyHash(key),
    now: new Date(),
  });
  if (minted === null) throw new Error(`The account already holds ${liveKeysPerAccount} live keys.`);
  output.result(
    { id: minted.id, name, key_prefix: minted.key_prefix, key },
    `${key}\nStore this key now: it cannot be shown again.`,
  );
}
