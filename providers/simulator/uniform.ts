import { createHash } from 'node:crypto';

/** A number in (0, 1) that depends on nothing but `parts`: the simulator's only source of chance. */
export function uniform(...parts: readonly string[]): number {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return (digest.readUInt32BE(0) + 0.5) / 2 ** 32;
}
