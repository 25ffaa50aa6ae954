import { createHash } from 'node:crypto';
import type { EntryKind } from '../../record/recorded-sale.js';
import { hashedBytes as hashedBytes1 } from './v1/entry-hash.js';

/**
 * What the hash of a record entry covers: nine lines, with the salted commitment in place of the payload. The links of
 * all entries can therefore be checked before any forecast is public, and a forecast that its buyer paid for cannot be
 * guessed from its hash, however few forecasts are plausible: the 256 bits of the salt would have to be guessed too.
 * Kind, sale, time and label are covered, so that no failure can pass as a forecast, and no live forecast as simulated,
 * until its event closes; and so is the time by which it must be public.
 */
export interface HashedEntry {
  /** The version of the rule by which the entry was hashed. */
  readonly version: number;
  readonly seq: number;
  readonly kind: EntryKind;
  /** The number of the entry of the report's sale; null for that entry itself, and in version 1. */
  readonly saleSeq: number | null;
  readonly createdAt: Date;
  /** Null in version 1 only. */
  readonly opensBy: Date | null;
  readonly simulated: boolean;
  readonly previousHash: Buffer;
  readonly salt: Buffer;
  /** JSON text. */
  readonly payload: string;
}

/** The version of new entries. */
export const entryVersion = 2;
export const saltBytes = 32;

export function entryHash(entry: HashedEntry): Buffer {
  return createHash('sha256').update(hashedBytes(entry)).digest();
}

/** The bytes whose SHA-256 is the entry's hash. `examples/verify-record.py` builds the same. */
export function hashedBytes(entry: HashedEntry): Buffer {
  return entry.version === 1 ? hashedBytes1(entry) : hashedBytes2(entry);
}

function hashedBytes2({ previousHash, salt, payload, ...entry }: HashedEntry): Buffer {
  const lines = [
    'record-entry/2',
    entry.seq,
    entry.kind,
    entry.saleSeq ?? '-',
    entry.createdAt.toISOString(),
    entry.opensBy?.toISOString() ?? '-',
    entry.simulated ? 'simulated' : 'live',
    previousHash.toString('hex'),
    commitment(salt, payload).toString('hex'),
  ];
  return Buffer.from(lines.join('\n'), 'utf8');
}

/** Hides the payload, and fixes it: SHA-256 over the salt and the text, in this order. */
function commitment(salt: Buffer, payload: string): Buffer {
  return createHash('sha256').update(salt).update(payload, 'utf8').digest();
}
