import { createHash, hkdfSync } from 'node:crypto';
import type { EncryptionKey } from './key-ring.js';

/**
 * The secrets of the built-in accounts, drawn from the key ring: one more secret to keep would be one more to
 * lose. A ring that is rotated keeps opening what its older keys closed.
 */
export function authSecrets(ring: readonly EncryptionKey[]): { version: number; value: string }[] {
  return ring.map(({ kid, key }) => ({
    version: createHash('sha256').update(kid).digest().readUInt32BE(0),
    value: Buffer.from(hkdfSync('sha256', key, '', 'built-in accounts', 32)).toString('base64url'),
  }));
}
