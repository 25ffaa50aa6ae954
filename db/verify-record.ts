import { sql } from 'kysely';
import type { Db, Tx } from './database.js';
import { answersDigest, entryHash, genesisHash, marketDigest } from './record.js';

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
