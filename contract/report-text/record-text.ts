import type { RecordEntryView } from '../record-chain.js';

/**
 * An entry of the record as a witness: every report, mail and answer that has one gives a copy of the chain's state to its
 * reader. A copy shows later whether the chain was rewritten: the entry of that number has another hash then.
 */
export function recordText({ seq, hash }: RecordEntryView): string {
  return `Record: entry ${seq}, ${hash}`;
}

/** Enough to recognise a hash by. */
const shortHashLength = 12;

/** The beginning of a hash, where the whole one has no room. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, shortHashLength)}…`;
}
