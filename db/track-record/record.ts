import { type Insertable, sql } from 'kysely';
import type { FrozenForecast, RecordedForecast } from '../../record/recorded-forecast.js';
import { allowLongReads, type Db, type Tx } from '../database.js';
import type { Database } from '../schema/schema.js';
import { changedConclusions } from './changed-conclusions.js';
import { entryHash, entryVersion, type HashedEntry } from './entry-hash.js';

/**
 * The record of forecasts, a hash chain. Invariants:
 * - a completed report gets its entry in the transaction that completes it; no other report has an entry;
 * - entries are numbered without gaps, and never changed or removed;
 * - the hash of an entry covers the previous hash and the entry (`entry-hash.ts`), so a changed, removed or inserted
 *   entry invalidates every later hash (`verifyRecord`).
 */

/** The previous hash of the first entry. */
const genesisHash = Buffer.alloc(32);

/** The previous entry (null for the first), and the digests of the report's stored answers and market. */
export interface RecordLink {
  readonly seq: number | null;
  readonly hash: Buffer | null;
  readonly answers_sha256: string;
  readonly market_sha256: string;
}

/** The next entry of the chain. The salt is 32 random bytes that no other entry has. */
export function recordEntry(
  frozen: FrozenForecast,
  { seq, hash, ...digests }: RecordLink,
  { simulated, salt, now }: { readonly simulated: boolean; readonly salt: Buffer; readonly now: Date },
): Insertable<Database['record_entries']> {
  const forecast: RecordedForecast = { ...frozen, ...digests };
  const entry = {
    seq: (seq ?? 0) + 1,
    previousHash: hash ?? genesisHash,
    simulated,
    salt,
    payload: JSON.stringify(forecast),
    createdAt: now,
  };
  return {
    version: entryVersion,
    seq: entry.seq,
    report_id: forecast.report_id,
    payload: entry.payload,
    salt,
    previous_hash: entry.previousHash,
    hash: entryHash(entry),
    created_at: now,
  };
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

/** The record entry of a report; null if it has none. */
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

/** Entries with all that their hashes cover. */
function hashedEntries(db: Db | Tx) {
  return db
    .selectFrom('record_entries as entry')
    .innerJoin('reports as report', 'report.id', 'entry.report_id')
    .select(['entry.seq', 'entry.created_at as createdAt', 'entry.previous_hash as previousHash'])
    .select(['entry.salt', 'entry.payload', 'entry.hash', 'entry.report_id', 'report.simulated']);
}

/** The newest entry with all that its hash covers; null while the chain is empty. */
export async function readNewestEntry(db: Db): Promise<(HashedEntry & { readonly hash: Buffer }) | null> {
  return (await hashedEntries(db).orderBy('entry.seq', 'desc').limit(1).executeTakeFirst()) ?? null;
}

export interface RecordCheck {
  readonly entries: number;
  /**
   * Hash of the newest entry, in hex. Anyone who saved it can tell later whether an earlier entry changed.
   */
  readonly head: string;
  /** One sentence per fault; empty for a correct record. */
  readonly faults: readonly string[];
}

const pageSize = 1_000;
const faultsMax = 100;

/**
 * Verifies the whole chain in one snapshot: numbering, hashes, each entry against its stored report, and each
 * completed report against the chain.
 */
export async function verifyRecord(db: Db): Promise<RecordCheck> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      await allowLongReads(tx);
      const chain = await walk(tx);
      const faults = [
        ...chain.faults,
        ...(await missing(tx)),
        ...(await altered(tx)),
        ...(await changedConclusions(tx)),
      ];
      return { entries: chain.entries, head: chain.head.toString('hex'), faults: faults.slice(0, faultsMax) };
    });
}

async function walk(tx: Tx): Promise<{ entries: number; head: Buffer; faults: string[] }> {
  const faults: string[] = [];
  let [entries, head]: [number, Buffer] = [0, genesisHash];
  let expected = 1;
  for (;;) {
    const page = await hashedEntries(tx)
      .where('entry.seq', '>=', expected)
      .orderBy('entry.seq')
      .limit(pageSize)
      .execute();
    for (const entry of page) {
      if (entry.seq !== expected) faults.push(`entries ${expected} to ${entry.seq - 1} are missing`);
      if (!entry.previousHash.equals(head))
        faults.push(`entry ${entry.seq} does not chain to the previous entry`);
      if (!entryHash(entry).equals(entry.hash)) {
        faults.push(`entry ${entry.seq} of report ${entry.report_id} does not match its hash`);
      }
      [head, expected, entries] = [entry.hash, entry.seq + 1, entries + 1];
    }
    if (page.length < pageSize) return { entries, head, faults };
  }
}

/** Completed reports without an entry: an unfavourable forecast must not be left out. */
async function missing(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('reports as report')
    .leftJoin('record_entries as entry', 'entry.report_id', 'report.id')
    .select('report.id')
    .where('report.status', '=', 'completed')
    .where('entry.seq', 'is', null)
    .orderBy('report.id')
    .limit(faultsMax)
    .execute();
  return rows.map(({ id }) => `report ${id} is completed but not in the record`);
}

/** Entries that differ from what is stored of their report now, apart from its conclusion. */
async function altered(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: number; what: string }>`
    select entry.report_id as id, case
        when entry.payload::json ->> 'report_id' <> entry.report_id::text then 'has the entry of another report'
        when reports.status <> 'completed' then 'is in the record but not completed'
        when entry.payload::json ->> 'answers_sha256' <> ${answersDigest} then 'has other answers than the record'
        when entry.payload::json ->> 'market_sha256' <> ${marketDigest} then 'has another market than the record'
      end as what
    from record_entries as entry join reports on reports.id = entry.report_id
    order by entry.seq`.execute(tx);
  return rows.filter(({ what }) => what !== null).map(({ id, what }) => `report ${id} ${what}`);
}
