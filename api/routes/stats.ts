import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import compression from 'compression';
import { type RequestHandler, Router } from 'express';
import { exportParameters } from '../../contract/track-record.js';
import type { ApiContext } from '../context.js';
import { sendShared } from '../http/etag.js';
import { parseParameters } from '../http/parse.js';
import { exportTrackRecord, readTrackRecordView } from '../reading/track-record.js';

const cacheControl = 'public, max-age=30';

/** `/api/stats`: the track record. Public, so that anyone can check it. */
export function statsRouter(context: ApiContext): Router {
  return Router()
    .use(compression())
    .get('/track-record', trackRecord(context))
    .get('/track-record/reports', exportReports(context));
}

function trackRecord(context: ApiContext): RequestHandler {
  return async (request, response) => {
    sendShared(request, response, JSON.stringify(await readTrackRecordView(context)), cacheControl);
  };
}

function exportReports(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const { after, limit = Number.POSITIVE_INFINITY } = parseParameters(exportParameters, request.query);
    const chunks = await exportTrackRecord(context, { after, limit });
    response.set('Cache-Control', cacheControl).type('application/json');
    try {
      await pipeline(Readable.from(chunks), response);
    } catch (err) {
      context.log.warn({ err }, 'an export of the track record was interrupted');
    }
  };
}
