import { sql } from 'kysely';
import { recordChecks } from '../audit/record-checks.js';
import { allRows } from '../audit/scope.js';
import { allowLongReads, type Db, inSnapshot, type Tx } from '../database.js';
import { changedConclusions } from './changed-conclusions.js';
import { changedSales } from './changed-sales.js';
import { entryHash } from './entry-hash.js';
import { answersDigest, genesisHash, hashedEntries, marketDigest } from './record.js';

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
 * Verifies the whole chain in one snapshot: numbering, hashes, that each end names its sale, each entry against its stored
 * report, and each report against the chain; and that nothing is unsealed or hidden for longer than was promised.
 */
export async function verifyRecord(db: Db): Promise<RecordCheck> {
  return inSnapshot(db, async tx => {
    await allowLongReads(tx);
    const chain = await walk(tx);
    const faults = [
      ...chain.faults,
      ...(await contradictions(tx)),
      ...(await altered(tx)),
      ...(await changedConclusions(tx)),
      ...(await changedSales(tx)),
    ];
    return { entries: chain.entries, head: chain.head.toString('hex'), faults: faults.slice(0, faultsMax) };
  });
}

type Entry = Awaited<ReturnType<ReturnType<typeof hashedEntries>['execute']>>[number];

async function walk(tx: Tx): Promise<{ entries: number; head: Buffer; faults: string[] }> {
  const faults: string[] = [];
  let [entries, head]: [number, Buffer] = [0, genesisHash];
  let expected = 1;
  const endsRightly = createSaleCheck();
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
        faults.push(`entry ${entry.seq} of report ${entry.reportId} does not match its hash`);
      }
      if (!endsRightly(entry))
        faults.push(`entry ${entry.seq} does not name the sale of report ${entry.reportId}`);
      [head, expected, entries] = [entry.hash, entry.seq + 1, entries + 1];
    }
    if (page.length < pageSize) return { entries, head, faults };
  }
}

/** Whether an entry is the first sale of its report, or its only end after it. Entries of version 1 name no sale. */
function createSaleCheck(): (entry: Entry) => boolean {
  const open = new Map<number, { readonly seq: number; readonly opensBy: Date | null }>();
  return ({ version, kind, reportId, seq, saleSeq, opensBy }) => {
    if (kind === 'sold') {
      const isFirst = !open.has(reportId);
      open.set(reportId, { seq, opensBy });
      return isFirst;
    }
    const sale = open.get(reportId);
    open.delete(reportId);
    if (version === 1) return true;
    const opensWithSale = kind === 'failed' || sale?.opensBy?.getTime() === opensBy?.getTime();
    return saleSeq === sale?.seq && opensWithSale;
  };
}

/** Unlike the hourly audit, over all rows. */
async function contradictions(tx: Tx): Promise<string[]> {
  const faults: string[] = [];
  for (const check of recordChecks(new Date(), allRows)) {
    const { rows } = await check.execute(tx);
    faults.push(...rows.map(({ summary }) => summary));
  }
  return faults;
}

/** Ends that differ from what is stored of their report now, apart from its conclusion. */
async function altered(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ id: number; what: string }>`
    select entry.report_id as id, case
        when entry.payload::json ->> 'report_id' <> entry.report_id::text then 'has the entry of another report'
        when reports.status <> entry.kind then format('is in the record but not %s', entry.kind)
        when entry.kind = 'failed' then
          case when entry.payload::json ->> 'code' <> failure_code then 'failed otherwise than the record says' end
        when entry.payload::json ->> 'answers_sha256' <> ${answersDigest} then 'has other answers than the record'
        when entry.payload::json ->> 'market_sha256' <> ${marketDigest} then 'has another market than the record'
      end as what
    from record_entries as entry join reports on reports.id = entry.report_id
    where entry.kind <> 'sold'
    order by entry.seq`.execute(tx);
  return rows.filter(({ what }) => what !== null).map(({ id, what }) => `report ${id} ${what}`);
}
