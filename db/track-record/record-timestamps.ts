import type { Db, Tx } from '../database.js';
import { entryHash, type HashedEntry } from './entry-hash.js';
import { readNewestEntry } from './record.js';

/**
 * Receipts of a time-stamp authority for the head of the chain. Invariants:
 * - a receipt is never changed or removed; it is verified before it is stored;
 * - it covers its entry and all before it. Two for the same entry do no harm: the head is stamped again while nothing is
 *   sold, and a repeated attempt adds one.
 * Those that release 1.0.0 has made, one a UTC day, name their day.
 */
export interface NewRecordTimestamp {
  /** The newest entry, and its hash, which the token signs. */
  readonly seq: number;
  readonly hash: Buffer;
  /** URL of the authority. */
  readonly authority: string;
  /** The token of RFC 3161, DER. */
  readonly token: Buffer;
  /** The time that the token states. */
  readonly stampedAt: Date;
}

export interface RecordTimestamp extends NewRecordTimestamp {
  readonly id: number;
}

/**
 * The newest entry, for others to confirm; null while the chain is empty.
 *
 * @throws Error if its hash does not fit its content: they would confirm what was tampered with
 */
export async function readHeadToConfirm(db: Db): Promise<(HashedEntry & { readonly hash: Buffer }) | null> {
  const head = await readNewestEntry(db);
  if (head === null || entryHash(head).equals(head.hash)) return head;
  throw new Error(`entry ${head.seq} of the record does not match its hash; run \`council record verify\``);
}

export async function saveRecordTimestamp(
  db: Db,
  { seq, hash, authority, token, stampedAt }: NewRecordTimestamp,
): Promise<void> {
  await db
    .insertInto('record_timestamps')
    .values({ utc_day: null, seq, hash, authority, token, stamped_at: stampedAt })
    .execute();
}

/** The newest receipt, without its token; null if there is none. */
export async function findNewestTimestamp(
  db: Db | Tx,
): Promise<Pick<RecordTimestamp, 'seq' | 'authority' | 'stampedAt'> | null> {
  const row = await db
    .selectFrom('record_timestamps')
    .select(['seq', 'authority', 'stamped_at as stampedAt'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** A page of receipts, oldest first. */
export async function listRecordTimestamps(
  db: Db,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<RecordTimestamp[]> {
  return db
    .selectFrom('record_timestamps')
    .select(['id', 'seq', 'hash', 'authority', 'token', 'stamped_at as stampedAt'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}
