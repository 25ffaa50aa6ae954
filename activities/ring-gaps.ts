import type { EncryptionKey } from '../config/key-ring.js';
import type { Db } from '../db/database.js';
import { countKeysByKid } from '../db/provider-keys.js';

/** The kids that stored keys were sealed with and the ring does not have: runs on those keys would fail. */
export async function ringGaps(db: Db, ring: readonly EncryptionKey[]): Promise<readonly string[]> {
  const sealedWith = await countKeysByKid(db);
  return sealedWith.map(({ kid }) => kid).filter(kid => ring.every(key => key.kid !== kid));
}
