import { createHmac, hkdfSync } from 'node:crypto';
import type { ApiContext } from '../context.js';

/**
 * Names what is counted. Keyed, so that the database holds no address, not even a guessable hash. The key is derived
 * from the active key of the ring, one way: it opens nothing that the ring has sealed. What is counted under two kinds
 * cannot be compared.
 */
export type CountKey = (kind: string, ...subject: readonly string[]) => string;

export function createCountKey({
  keyRing,
  randomBytes,
}: Pick<ApiContext, 'keyRing' | 'randomBytes'>): CountKey {
  const master = keyRing[0]?.key ?? randomBytes(keyBytes);
  const key = Buffer.from(hkdfSync('sha256', master, '', 'shared counts', keyBytes));
  return (kind, ...subject) =>
    `${kind}:${createHmac('sha256', key)
      .update(JSON.stringify([kind, ...subject]))
      .digest('base64url')}`;
}

const keyBytes = 32;
