import { createHash } from 'node:crypto';

/**
 * What the hash of a record entry covers: six lines, with the salted commitment in place of the forecast. The links of
 * all entries can therefore be checked before any forecast is public, and a forecast that its buyer paid for cannot be
 * guessed from its hash, however few forecasts are plausible: the 256 bits of the salt would have to be guessed too.
 * Number, time and label are covered, so that no live forecast can pass as simulated until its event closes.
 */
export interface HashedEntry {
  readonly seq: number;
  readonly createdAt: Date;
  readonly simulated: boolean;
  readonly previousHash: Buffer;
  readonly salt: Buffer;
  /** The forecast as JSON text. */
  readonly payload: string;
}

/** Every entry names the version of this rule. */
export const entryVersion = 1;
export const saltBytes = 32;

export function entryHash(entry: HashedEntry): Buffer {
  return createHash('sha256').update(hashedBytes(entry)).digest();
}

/** The bytes whose SHA-256 is the entry's hash. `examples/verify-record.py` builds the same. */
export function hashedBytes({ previousHash, salt, payload, ...entry }: HashedEntry): Buffer {
  const lines = [
    `record-entry/${entryVersion}`,
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
