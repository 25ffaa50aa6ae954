import { createHash } from 'node:crypto';

/** How a key is told from others without being kept: its SHA-256 in hex. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
