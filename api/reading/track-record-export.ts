import { Semaphore } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import {
  exportedPageMax,
  readExportedGrades,
  readGradesVersion,
} from '../../db/track-record/track-record.js';
import type { ApiContext } from '../context.js';
import { presentTrackRecordRow } from '../present/track-record.js';

/** The public export of the track record, for any number of readers. */
export interface TrackRecordExport {
  /** Changes whenever the export does. Read it first: content that is newer than its version does no harm. */
  readVersion(): Promise<string>;
  /**
   * The export as pieces of JSON text, one row for each graded report in ascending order of ids. The first page is read
   * before this returns, so that a database failure becomes a problem document.
   */
  read(version: string, range: ExportRange): Promise<AsyncIterable<string>>;
}

interface ExportRange {
  readonly after: number;
  readonly limit: number;
}

interface Page {
  /** Rows, each followed by a comma except the last. */
  readonly json: string;
  readonly rows: number;
  readonly lastReportId: number;
}

/**
 * Readers share the pages of one version: many exports at a time read the database once. Memory is bounded by what is
 * kept and by one page for each reader, and the database by the few pages that are read at a time.
 */
export function createTrackRecordExport(context: Pick<ApiContext, 'db' | 'simulated'>): TrackRecordExport {
  const kept = new LRUCache<string, Page>({
    maxSize: keptMaxChars,
    sizeCalculation: ({ json }) => json.length + 1,
  });
  const reading = new Map<string, Promise<Page>>();
  const readers = new Semaphore(pagesReadAtOnceMax);

  const pageOf = (version: string, range: ExportRange): Promise<Page> => {
    const key = `${version} ${range.after} ${range.limit}`;
    const known = kept.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const running = reading.get(key);
    if (running !== undefined) return running;
    const page = readers.runExclusive(() => readPage(context, range)).finally(() => reading.delete(key));
    reading.set(key, page);
    return page.then(read => {
      kept.set(key, read);
      return read;
    });
  };

  async function* pagesOf(version: string, { after, limit }: ExportRange): AsyncGenerator<Page> {
    let last = after;
    for (let left = limit; left > 0; ) {
      const page = await pageOf(version, { after: last, limit: Math.min(left, exportedPageMax) });
      if (page.rows === 0) return;
      yield page;
      last = page.lastReportId;
      left -= page.rows;
    }
  }

  return {
    readVersion: () => readGradesVersion(context.db),
    read: async (version, range) => {
      const pages = pagesOf(version, range);
      const first = await pages.next();
      return toJson(first.done === true ? '' : first.value.json, pages);
    },
  };
}

async function readPage(
  { db, simulated }: Pick<ApiContext, 'db' | 'simulated'>,
  range: ExportRange,
): Promise<Page> {
  const rows = await readExportedGrades(db, simulated, range);
  const json = rows.map(row => JSON.stringify(presentTrackRecordRow(row))).join(',\n');
  return { json, rows: rows.length, lastReportId: rows.at(-1)?.reportId ?? range.after };
}

async function* toJson(first: string, others: AsyncIterable<Page>) {
  yield `{"reports":[${first}`;
  for await (const { json } of others) yield `,\n${json}`;
  yield ']}';
}

/** The size of all pages that a process keeps. */
const keptMaxChars = 32 * 1024 * 1024;
/** Most of the 20 connections to the database are left to other requests. */
const pagesReadAtOnceMax = 2;
