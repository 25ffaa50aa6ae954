import { sql } from 'kysely';
import type { FrozenForecast, RecordedForecast } from '../../record/recorded-forecast.js';
import type { EntryKind } from '../../record/recorded-sale.js';
import type { Db, Tx } from '../database.js';
import type { HashedEntry } from './entry-hash.js';

/**
 * The record of sales and forecasts, a hash chain. Invariants:
 * - a report has an entry of its sale and, after it, one of its end: `completed` with its forecast, or `failed`. Both are
 *   stored in the transactions that they tell of, and sealed soon after (`seal-record.ts`);
 * - reports that release 1.0.0 completed have the entry of their end alone, of version 1;
 * - entries are numbered without gaps, and never changed or removed;
 * - the hash of an entry covers the previous hash and the entry (`entry-hash.ts`), so a changed, removed or inserted
 *   entry invalidates every later hash (`verifyRecord`).
 */

/** The previous hash of the first entry. */
export const genesisHash = Buffer.alloc(32);

/** Digests of what is stored of a report, which its forecast names. */
export interface StoredDigests {
  readonly answers_sha256: string;
  readonly market_sha256: string;
}

/** The payload of an entry `completed`. */
export function forecastText(frozen: FrozenForecast, digests: StoredDigests): string {
  const forecast: RecordedForecast = { ...frozen, ...digests };
  return JSON.stringify(forecast);
}

export function newestEntry(db: Db | Tx) {
  return db.selectFrom('record_entries').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1);
}

/** One line per stored answer, in an order that does not depend on the database's collation. */
export const answersDigest = sql<string>`(
  select encode(sha256(convert_to(coalesce(string_agg(
    format('%s %s %s', stage, model, answer::text), E'\\n' order by stage collate "C", model collate "C"
  ), ''), 'UTF8')), 'hex')
  from stage_results where stage_results.report_id = reports.id
)`;

export const marketDigest = sql<string>`encode(sha256(convert_to(reports.event::text, 'UTF8')), 'hex')`;

/** Length and newest hash of the chain; `head` is null while it is empty. */
export async function readRecordHead(
  db: Db | Tx,
): Promise<{ readonly entries: number; readonly head: string | null }> {
  const last = await newestEntry(db).executeTakeFirst();
  return { entries: last?.seq ?? 0, head: last?.hash.toString('hex') ?? null };
}

/** The newest entry of a report: of its sale while it runs, of its end afterwards; null until one is sealed. */
export async function findRecordEntry(
  db: Db,
  reportId: number,
): Promise<{ readonly seq: number; readonly hash: string; readonly kind: EntryKind } | null> {
  const row = await db
    .selectFrom('record_entries')
    .select(['seq', 'hash', 'kind'])
    .where('report_id', '=', reportId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, hash: row.hash.toString('hex') };
}

/** Entries with all that their hashes cover. */
export function hashedEntries(db: Db | Tx) {
  return db
    .selectFrom('record_entries as entry')
    .innerJoin('reports as report', 'report.id', 'entry.report_id')
    .select(['entry.version', 'entry.seq', 'entry.kind', 'entry.sale_seq as saleSeq'])
    .select(['entry.created_at as createdAt', 'entry.opens_by as opensBy'])
    .select(['entry.previous_hash as previousHash', 'entry.salt', 'entry.payload', 'entry.hash'])
    .select(['entry.report_id as reportId', 'report.simulated']);
}

/** The newest entry with all that its hash covers; null while the chain is empty. */
export async function readNewestEntry(db: Db): Promise<(HashedEntry & { readonly hash: Buffer }) | null> {
  return (await hashedEntries(db).orderBy('entry.seq', 'desc').limit(1).executeTakeFirst()) ?? null;
}
