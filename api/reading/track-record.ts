import type { TrackRecordView } from '../../contract/track-record.js';
import { trackRecordBuilder } from '../../council/track-record/track-record.js';
import { readRecordHead } from '../../db/track-record/record.js';
import {
  gradesPageMax,
  readCounts,
  readCurrentGrades,
  readTrackRecord,
} from '../../db/track-record/track-record.js';
import type { ApiContext } from '../context.js';
import { presentTrackRecordRow } from '../present/track-record.js';

type Context = Pick<ApiContext, 'db' | 'simulated'>;

/**
 * The public track record. The counts are current, the figures are those of `as_of`. Simulated and live
 * reports have separate figures. Counts and head are of one snapshot, so that anybody can compare the reports that
 * are counted with the entries up to that head.
 */
export async function readTrackRecordView({ db, simulated }: Context): Promise<TrackRecordView> {
  const { counts, stored, record } = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => ({
      counts: await readCounts(tx, simulated),
      stored: await readTrackRecord(tx, simulated),
      record: await readRecordHead(tx),
    }));
  const figures = stored ?? trackRecordBuilder().finish(counts, null);
  return { simulated, ...figures, counts, record };
}

/**
 * The export as pieces of JSON text, one row for each graded report in ascending order of ids. Only one page
 * of rows is in memory at a time. The first page is read before this returns, so that a database failure
 * becomes a problem document.
 */
export async function exportTrackRecord(
  context: Context,
  range: { after: number; limit: number },
): Promise<AsyncIterable<string>> {
  const pages = readPages(context, range);
  const first = await pages.next();
  return toJson(first.done === true ? [] : first.value, pages);
}

/** Pages with at least one row. */
async function* readPages({ db, simulated }: Context, { after, limit }: { after: number; limit: number }) {
  let last = after;
  let left = limit;
  while (left > 0) {
    const rows = await readCurrentGrades(db, simulated, {
      after: last,
      limit: Math.min(left, gradesPageMax),
    });
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(presentTrackRecordRow);
    last = end.reportId;
    left -= rows.length;
  }
}

type Row = ReturnType<typeof presentTrackRecordRow>;

async function* toJson(first: readonly Row[], others: AsyncIterable<readonly Row[]>) {
  yield `{"reports":[${toLines(first)}`;
  for await (const rows of others) yield `,\n${toLines(rows)}`;
  yield ']}';
}

function toLines(rows: readonly Row[]): string {
  return rows.map(row => JSON.stringify(row)).join(',\n');
}
