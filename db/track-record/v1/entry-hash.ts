import { createHash } from 'node:crypto';

/**
 * Version 1 of the rule, in which release 1.0.0 has written entries (ADR 49): never changed. Such an entry is of a
 * completed report, names no sale and promises no time of its opening.
 */
interface HashedEntry {
  readonly seq: number;
  readonly createdAt: Date;
  readonly simulated: boolean;
  readonly previousHash: Buffer;
  readonly salt: Buffer;
  /** The forecast as JSON text. */
  readonly payload: string;
}

/** The bytes whose SHA-256 is the entry's hash. */
export function hashedBytes({ previousHash, salt, payload, ...entry }: HashedEntry): Buffer {
  const lines = [
    'record-entry/1',
    entry.seq,
    entry.createdAt.toISOString(),
    entry.simulated ? 'simulated' : 'live',
    previousHash.toString('hex'),
    commitment(salt, payload).toString('hex'),
  ];
  return Buffer.from(lines.join('\n'), 'utf8');
}

/** Hides the forecast, and fixes it: SHA-256 over the salt and the text, in this order. */
function commitment(salt: Buffer, payload: string): Buffer {
  return createHash('sha256').update(salt).update(payload, 'utf8').digest();
}
