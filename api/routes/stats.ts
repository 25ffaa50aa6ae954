import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import compression from 'compression';
import { type RequestHandler, Router } from 'express';
import { chainParameters, timestampParameters } from '../../contract/record-chain.js';
import { exportParameters } from '../../contract/track-record.js';
import { readPublicChain } from '../../db/track-record/public-chain.js';
import { listRecordTimestamps } from '../../db/track-record/record-timestamps.js';
import { exportIdleMaxSeconds, exportWithinSeconds } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { matchesEtag, sendShared } from '../http/etag.js';
import { parseParameters } from '../http/parse.js';
import { presentChainEntry, presentRecordTimestamp } from '../present/record-chain.js';
import { createOpenExports } from '../reading/open-exports.js';
import { readTrackRecordView } from '../reading/track-record.js';
import { createTrackRecordExport } from '../reading/track-record-export.js';

const cacheControl = 'public, max-age=30';
/** For a full page of a list that is only added to, none of whose items can change. */
const finalCacheControl = 'public, max-age=86400, immutable';

/** `/api/stats`: the track record. Public, so that anyone can check it. */
export function statsRouter(context: ApiContext): Router {
  return Router()
    .use(compression())
    .get('/track-record', trackRecord(context))
    .get('/track-record/reports', exportReports(context))
    .get('/track-record/chain', chain(context))
    .get('/track-record/timestamps', timestamps(context));
}

function trackRecord(context: ApiContext): RequestHandler {
  return async (request, response) => {
    sendShared(request, response, JSON.stringify(await readTrackRecordView(context)), cacheControl);
  };
}

function exportReports(context: ApiContext): RequestHandler {
  const trackRecord = createTrackRecordExport(context);
  const open = createOpenExports();
  return async (request, response) => {
    const { after, limit = Number.POSITIVE_INFINITY } = parseParameters(exportParameters, request.query);
    const version = await trackRecord.readVersion();
    const tag = `"${version}.${after}.${limit}"`;
    if (matchesEtag(request, tag)) {
      response.set('Cache-Control', cacheControl).set('ETag', `W/${tag}`).status(304).end();
      return;
    }
    const leave = open.enter(request.ip ?? '');
    try {
      const chunks = await trackRecord.read(version, { after, limit });
      response.set('Cache-Control', cacheControl).set('ETag', `W/${tag}`).type('application/json');
      response.setTimeout(exportIdleMaxSeconds * 1_000, () => response.destroy());
      const signal = AbortSignal.timeout(exportWithinSeconds * 1_000);
      await pipeline(Readable.from(chunks), response, { signal });
    } catch (err) {
      // The first page could not be read: nothing was sent yet.
      if (!response.headersSent && !response.destroyed) throw err;
      // A caller who leaves is no failure: the line of the request says that it is gone.
      if (!hasLeft(err)) context.log.warn({ err }, 'an export of the track record was interrupted');
    } finally {
      leave();
    }
  };
}

function hasLeft(error: unknown): boolean {
  // Not `instanceof Error`: in a `vm` context, errors of streams come from another realm.
  const code = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

function chain({ db, now }: ApiContext): RequestHandler {
  return async (request, response) => {
    const page = parseParameters(chainParameters, request.query);
    const entries = await readPublicChain(db, { ...page, now: now() });
    const isFinal = entries.length === page.limit && entries.every(entry => entry.isFinal);
    const json = JSON.stringify({ entries: entries.map(presentChainEntry) });
    sendShared(request, response, json, isFinal ? finalCacheControl : cacheControl);
  };
}

function timestamps({ db }: ApiContext): RequestHandler {
  return async (request, response) => {
    const page = parseParameters(timestampParameters, request.query);
    const receipts = await listRecordTimestamps(db, page);
    const json = JSON.stringify({ timestamps: receipts.map(presentRecordTimestamp) });
    sendShared(request, response, json, receipts.length === page.limit ? finalCacheControl : cacheControl);
  };
}
