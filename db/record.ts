import { createHash } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { FrozenForecast } from '../council/freeze-forecast.js';
import type { RecordedForecast } from '../council/record.js';
import type { Db, Tx } from './database.js';
import type { RecordEntriesTable } from './schema-record.js';

/**
 * The record of forecasts. Invariants:
 * - every report has its entry from the transaction that completes it, and no other report has one;
 * - entries are numbered without a gap, never changed, never removed;
 * - the hash of an entry is SHA-256 over the hash before it and its own text: a change, a removal or an insertion
 *   anywhere shows in every hash that follows (`verify-record.ts`).
 */

/** What the first entry is chained to. */
export const genesisHash = Buffer.alloc(32);

/** What an entry is chained to, nothing for the first one, and the digests of what is stored of its report. */
export interface RecordLink {
  readonly seq: number | null;
  readonly hash: Buffer | null;
  readonly answers_sha256: string;
  readonly market_sha256: string;
}

/** The entry of a forecast, chained to the one before it. */
export function recordEntry(
  frozen: FrozenForecast,
  link: RecordLink,
  now: Date,
): Insertable<RecordEntriesTable> {
  const { seq, hash, ...digests } = link;
  const previous = hash ?? genesisHash;
  const forecast: RecordedForecast = { ...frozen, ...digests };
  const payload = JSON.stringify(forecast);
  return {
    seq: (seq ?? 0) + 1,
    report_id: forecast.report_id,
    payload,
    previous_hash: previous,
    hash: entryHash(previous, payload),
    created_at: now,
  };
}

export function newestEntry(db: Db | Tx) {
  return db.selectFrom('record_entries').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1);
}

/** Every stored answer on a line of its own, in an order that no collation changes. */
export const answersDigest = sql<string>`(
  select encode(sha256(convert_to(coalesce(string_agg(
    format('%s %s %s', stage, model, answer::text), E'\\n' order by stage collate "C", model collate "C"
  ), ''), 'UTF8')), 'hex')
  from stage_results where stage_results.report_id = reports.id
)`;

export const marketDigest = sql<string>`encode(sha256(convert_to(reports.event::text, 'UTF8')), 'hex')`;

/** SHA-256 of the hash before and the text, in this order. */
export function entryHash(previous: Buffer, payload: string): Buffer {
  return createHash('sha256').update(previous).update(payload, 'utf8').digest();
}

/** How long the chain is, and the hash that stands for all of it; `head` is null while it is empty. */
export async function readRecordHead(
  db: Db,
): Promise<{ readonly entries: number; readonly head: string | null }> {
  const last = await newestEntry(db).executeTakeFirst();
  return { entries: last?.seq ?? 0, head: last?.hash.toString('hex') ?? null };
}

/** Where a report stands in the record; null for one that is not in it. */
export async function findRecordEntry(
  db: Db,
  reportId: number,
): Promise<{ readonly seq: number; readonly hash: string } | null> {
  const row = await db
    .selectFrom('record_entries')
    .select(['seq', 'hash'])
    .where('report_id', '=', reportId)
    .executeTakeFirst();
  return row === undefined ? null : { seq: row.seq, hash: row.hash.toString('hex') };
}
