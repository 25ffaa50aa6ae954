import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RequestHandler, Router } from 'express';
import { exportParameters, type TrackRecordView } from '../../contract/track-record.js';
import { createTrackRecord } from '../../council/track-record/track-record.js';
import { readRecordHead } from '../../db/track-record/record.js';
import {
  gradesPageMax,
  readCounts,
  readNewestGrades,
  readTrackRecord,
} from '../../db/track-record/track-record.js';
import type { ApiContext } from '../context.js';
import { matchesEtag } from '../http/etag.js';
import { parseParameters } from '../http/parse.js';
import { presentTrackRecordRow } from '../present/track-record.js';

/** `/api/stats`: how good the reports were. Public, because a record that one must pay to see proves nothing. */
export function statsRouter(context: ApiContext): Router {
  return Router()
    .get('/track-record', trackRecord(context))
    .get('/track-record/reports', exportReports(context));
}

/**
 * The counts are of this moment, the figures of `as_of`. `record` is the head of the chain: who notes it can tell later
 * whether anything before it was changed. Simulated reports have figures of their own, and these say so.
 */
function trackRecord({ db, simulated }: ApiContext): RequestHandler {
  return async (request, response) => {
    const counts = await readCounts(db, simulated);
    const stored = await readTrackRecord(db, simulated);
    const record = await readRecordHead(db);
    const figures = stored ?? createTrackRecord().finish(counts, null);
    const answer: TrackRecordView = { simulated, ...figures, counts, record };
    const body = JSON.stringify(answer);
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    response.set('Cache-Control', 'public, max-age=30').set('ETag', etag);
    if (matchesEtag(request, etag)) response.status(304).end();
    else response.type('application/json').send(body);
  };
}

/** One row a graded report, in ascending order of ids, sent page by page: no more than one page is ever held. */
function exportReports(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const { after, limit = Number.POSITIVE_INFINITY } = parseParameters(exportParameters, request.query);
    const pages = pagesOf(context, after, limit);
    // Read before anything is sent, so that a database that is away is a problem and no broken answer.
    const first = await pages.next();
    response.set('Cache-Control', 'public, max-age=30').type('application/json');
    try {
      await pipeline(Readable.from(textOf(first.done === true ? [] : first.value, pages)), response);
    } catch (err) {
      context.log.warn({ err }, 'an export of the track record broke off');
    }
  };
}

/** Pages that are not empty. */
async function* pagesOf({ db, simulated }: ApiContext, after: number, limit: number) {
  let last = after;
  let left = limit;
  while (left > 0) {
    const rows = await readNewestGrades(db, simulated, { after: last, limit: Math.min(left, gradesPageMax) });
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows.map(presentTrackRecordRow);
    last = end.reportId;
    left -= rows.length;
  }
}

type Row = ReturnType<typeof presentTrackRecordRow>;

async function* textOf(first: readonly Row[], others: AsyncIterable<readonly Row[]>) {
  yield `{"reports":[${linesOf(first)}`;
  for await (const rows of others) yield `,\n${linesOf(rows)}`;
  yield ']}';
}

function linesOf(rows: readonly Row[]): string {
  return rows.map(row => JSON.stringify(row)).join(',\n');
}
