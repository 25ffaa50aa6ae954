import { randomBytes } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import type { MarketEvent } from '../../council/event.js';
import { opensBy, type RecordedFailure, recordedSale } from '../../record/recorded-sale.js';
import type { Db, Tx } from '../database.js';
import { jsonSha256 } from '../digests.js';
import { completionLock } from '../reports/complete-report.js';
import type { Database } from '../schema/schema.js';
import { entryHash, entryVersion, type HashedEntry, saltBytes } from './entry-hash.js';
import { genesisHash, newestEntry } from './record.js';

/**
 * Moves what has happened to reports into the chain. Invariants:
 * - a sale and a failure enter `unsealed_entries` by triggers, and a forecast by the statement that completes its report:
 *   each in the transaction that it tells of, so that there is neither without the other;
 * - rows are sealed in the order of their ids, so that the sale of a report comes before its end, and leave the table in
 *   the transaction that appends their entries;
 * - one process seals at a time. Its lock is no lock that a sale or a completion waits for.
 */

/** About a second's work; the payloads of forecasts and the events of sales have tens of kilobytes each. */
const batchRows = 100;

/** Seals all rows that are committed. @returns the number of new entries */
export async function sealRecord(db: Db): Promise<number> {
  for (let entries = 0; ; ) {
    const { sealed, left } = await db.transaction().execute(sealBatch);
    entries += sealed;
    if (!left) return entries;
  }
}

/** Whether anything waits to be sealed: far cheaper than to seal nothing. */
export async function isAnythingUnsealed(db: Db): Promise<boolean> {
  const row = await db.selectFrom('unsealed_entries').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** The key of this service's advisory lock for the end of the chain. */
const sealingLock = 7_107_005;

async function sealBatch(tx: Tx): Promise<{ sealed: number; left: boolean }> {
  // Release 1.0.0 appends an entry under the exclusive lock for completions, which those of this release share.
  await sql`select pg_advisory_xact_lock(${sealingLock}), pg_advisory_xact_lock_shared(${completionLock})`.execute(
    tx,
  );
  const rows = await readUnsealed(tx);
  const entries = entriesOf(rows, (await newestEntry(tx).executeTakeFirst()) ?? null);
  if (entries.length > 0) await tx.insertInto('record_entries').values(entries).execute();
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id);
    await tx.deleteFrom('unsealed_entries').where('id', '=', sql<number>`any (${ids})`).execute();
  }
  return { sealed: entries.length, left: rows.length === batchRows };
}

/** Only a sale reads its event, and only an end the entry of its sale. */
async function readUnsealed(tx: Tx) {
  return (
    tx
      .selectFrom('unsealed_entries as row')
      .innerJoin('reports as report', 'report.id', 'row.report_id')
      .innerJoin('events as event', 'event.event_id', 'report.event_id')
      .leftJoin('record_entries as sale', join =>
        join
          .onRef('sale.report_id', '=', 'row.report_id')
          .on('sale.kind', '=', 'sold')
          .on('row.kind', '<>', 'sold'),
      )
      .leftJoin('record_entries as earlier', join =>
        join.onRef('earlier.report_id', '=', 'row.report_id').on('earlier.version', '=', 1),
      )
      .select([
        'row.id',
        'row.report_id as reportId',
        'row.kind',
        'row.payload',
        'row.occurred_at as occurredAt',
      ])
      .select(['report.simulated', 'report.created_at as soldAt', 'report.failure_code as failure'])
      .select(['sale.seq as saleSeq', 'sale.opens_by as saleOpensBy'])
      // A pending report has no market of its own yet.
      .select(
        sql<MarketEvent | null>`case when row.kind = 'sold' then coalesce(report.event, event.event) end`.as(
          'event',
        ),
      )
      .select(eb => eb('earlier.seq', 'is not', null).as('hasEndedBefore'))
      .orderBy('row.id')
      .limit(batchRows)
      .execute()
  );
}

type UnsealedRow = Awaited<ReturnType<typeof readUnsealed>>[number];
type EntryRow = Insertable<Database['record_entries']>;
type Link = Pick<EntryRow, 'seq' | 'hash'>;

/** @param last the newest entry; null while the chain is empty */
function entriesOf(rows: readonly UnsealedRow[], last: Link | null): EntryRow[] {
  const entries: EntryRow[] = [];
  const sales = new Map<number, Sale>();
  for (const row of rows) {
    // Release 1.0.0 has completed the report: a sale after its end would break the order.
    if (row.hasEndedBefore) continue;
    const { seq, hash } = entries.at(-1) ?? last ?? { seq: 0, hash: genesisHash };
    const content =
      row.kind === 'sold' ? saleOf(row) : endOf(row, sales.get(row.reportId) ?? storedSale(row));
    if (row.kind === 'sold') sales.set(row.reportId, { seq: seq + 1, opensBy: content.opensBy });
    entries.push(
      entryRow(row.reportId, {
        ...content,
        version: entryVersion,
        seq: seq + 1,
        kind: row.kind,
        createdAt: row.occurredAt,
        simulated: row.simulated,
        previousHash: hash,
        salt: randomBytes(saltBytes),
      }),
    );
  }
  return entries;
}

/** The entry of a sale, as the end of its report needs it. */
interface Sale {
  readonly seq: number;
  readonly opensBy: Date;
}

/** What the payload and the opening of an entry follow from. */
interface EntryContent {
  readonly saleSeq: number | null;
  readonly opensBy: Date;
  readonly payload: string;
}

function saleOf({ reportId, soldAt, event }: UnsealedRow): EntryContent {
  if (event === null) throw new Error(`report ${reportId} was sold without an event`);
  const sale = recordedSale({ reportId, soldAt, event, sha256: jsonSha256 });
  return { saleSeq: null, opensBy: opensBy(sale), payload: JSON.stringify(sale) };
}

function storedSale({ reportId, saleSeq, saleOpensBy }: UnsealedRow): Sale {
  if (saleSeq === null || saleOpensBy === null) throw new Error(`report ${reportId} ended and was not sold`);
  return { seq: saleSeq, opensBy: saleOpensBy };
}

/** A forecast opens with its sale, a failure at once: nobody paid for it. */
function endOf({ reportId, payload, failure, occurredAt }: UnsealedRow, sale: Sale): EntryContent {
  if (payload !== null) return { saleSeq: sale.seq, opensBy: sale.opensBy, payload };
  const failed: RecordedFailure = { record: 'failure/1', report_id: reportId, code: failure ?? 'internal' };
  return { saleSeq: sale.seq, opensBy: occurredAt, payload: JSON.stringify(failed) };
}

function entryRow(reportId: number, entry: HashedEntry): EntryRow {
  return {
    version: entry.version,
    seq: entry.seq,
    report_id: reportId,
    kind: entry.kind,
    sale_seq: entry.saleSeq,
    opens_by: entry.opensBy,
    payload: entry.payload,
    salt: entry.salt,
    previous_hash: entry.previousHash,
    hash: entryHash(entry),
    created_at: entry.createdAt,
  };
}
