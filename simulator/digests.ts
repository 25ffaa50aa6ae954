import { createHash } from 'node:crypto';

/** A number in (0, 1) derived from `parts` only: the simulator's only source of randomness. */
export function uniform(...parts: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return (digest.readUInt32BE(0) + 0.5) / 2 ** 32;
}

/** SHA-256 of a key in hex: identifies a key without storing it. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
