import { createHash } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { FrozenForecast, RecordedForecast } from '../../council/track-record/recorded-forecast.js';
import type { Db, Tx } from '../database.js';
import type { Database } from '../schema/schema.js';

/**
 * The record of forecasts. Invariants:
 * - every report has its entry from the transaction that completes it, and no other report has one;
 * - entries are numbered without a gap, never changed, never removed;
 * - the hash of an entry is SHA-256 over the hash before it and its own text: a change, a removal or an insertion
 *   anywhere shows in every hash that follows (`verify-record.ts`).
 */

/** What the first entry is chained to. */
const genesisHash = Buffer.alloc(32);

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
): Insertable<Database['record_entries']> {
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
function entryHash(previous: Buffer, payload: string): Buffer {
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

export interface RecordCheck {
  readonly entries: number;
  /** Hash of the newest entry, hex: who has noted it can tell later whether anything before it was changed. */
  readonly head: string;
  /** What does not hold, one sentence each; empty for a record that hides nothing. */
  readonly faults: readonly string[];
}

const pageSize = 1_000;
const faultsMax = 100;
const statementMaxMs = 60_000;

/**
 * Walks the whole chain in one snapshot: numbers without a gap, every hash redone, every entry held against the report
 * it froze, and every completed report held against the chain.
 */
export async function verifyRecord(db: Db): Promise<RecordCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      await sql`select set_config('statement_timeout', ${String(statementMaxMs)}, true)`.execute(tx);
      const chain = await walk(tx);
      const faults = [...chain.faults, ...(await missing(tx)), ...(await altered(tx))];
      return { entries: chain.entries, head: chain.head.toString('hex'), faults: faults.slice(0, faultsMax) };
    });
}

async function walk(tx: Tx): Promise<{ entries: number; head: Buffer; faults: string[] }> {
  const faults: string[] = [];
  let [entries, head]: [number, Buffer] = [0, genesisHash];
  let expected = 1;
  for (;;) {
    const page = await tx
      .selectFrom('record_entries')
      .select(['seq', 'report_id', 'payload', 'previous_hash', 'hash'])
      .where('seq', '>=', expected)
      .orderBy('seq')
      .limit(pageSize)
      .execute();
    for (const entry of page) {
      if (entry.seq !== expected) faults.push(`entries ${expected} to ${entry.seq - 1} are missing`);
      if (!entry.previous_hash.equals(head))
        faults.push(`entry ${entry.seq} is not chained to the one before it`);
      if (!entryHash(entry.previous_hash, entry.payload).equals(entry.hash)) {
        faults.push(`entry ${entry.seq}, of report ${entry.report_id}, does not have the hash of its text`);
      }
      [head, expected, entries] = [entry.hash, entry.seq + 1, entries + 1];
    }
    if (page.length < pageSize) return { entries, head, faults };
  }
}

/** A report that ended badly for us must not be left out. */
async function missing(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('reports as report')
    .leftJoin('record_entries as entry', 'entry.report_id', 'report.id')
    .select('report.id')
    .where('report.status', '=', 'completed')
    .where('entry.seq', 'is', null)
    .where('report.ended_at', '>=', eb => eb.selectFrom('record_began').select('at'))
    .orderBy('report.id')
    .limit(faultsMax)
    .execute();
  return rows.map(({ id }) => `report ${id} was completed and is not in the record`);
}

/** What the chain froze, held against what is stored of the report now. */
async function altered(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: number; what: string }>`
    select entry.report_id as id, case
        when entry.payload::json ->> 'report_id' <> entry.report_id::text then 'has the entry of another'
        when reports.status <> 'completed' then 'is in the record and was not completed'
        when entry.payload::json ->> 'answers_sha256' <> ${answersDigest} then 'has other answers than were recorded'
        when entry.payload::json ->> 'market_sha256' <> ${marketDigest} then 'has another market than was recorded'
        when ${forecastDiffers} then 'says another forecast than was recorded'
      end as what
    from record_entries as entry join reports on reports.id = entry.report_id
    order by entry.seq`.execute(tx);
  return rows.filter(({ what }) => what !== null).map(({ id, what }) => `report ${id} ${what}`);
}

const forecastDiffers = sql`(
  (entry.payload::jsonb -> 'action') is distinct from (reports.conclusion::jsonb -> 'action')
  or exists (
    select from jsonb_array_elements(entry.payload::jsonb -> 'outcomes') as outcome
    where outcome -> 'council' is distinct from
        reports.conclusion::jsonb -> 'runtime' -> 'market_probabilities' -> (outcome ->> 'name')
      or outcome -> 'market' is distinct from
        reports.conclusion::jsonb -> 'runtime' -> 'market_implied_probabilities' -> (outcome ->> 'name')
  )
)`;
