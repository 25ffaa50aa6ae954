import type { Db } from '../database.js';

/**
 * Receipts of a time-stamp authority for the head of the chain. Invariants:
 * - there is one a UTC day, also when two workers ask on the same day;
 * - a receipt is never changed or removed; it is verified before it is stored.
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

/** @returns false if the day has a receipt already. */
export async function saveRecordTimestamp(
  db: Db,
  utcDay: string,
  { seq, hash, authority, token, stampedAt }: NewRecordTimestamp,
): Promise<boolean> {
  const inserted = await db
    .insertInto('record_timestamps')
    .values({ utc_day: utcDay, seq, hash, authority, token, stamped_at: stampedAt })
    .onConflict(conflict => conflict.column('utc_day').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function hasRecordTimestamp(db: Db, utcDay: string): Promise<boolean> {
  const found = await db
    .selectFrom('record_timestamps')
    .select('id')
    .where('utc_day', '=', utcDay)
    .executeTakeFirst();
  return found !== undefined;
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
