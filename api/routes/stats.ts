import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type RequestHandler, Router } from 'express';
import { exportParameters } from '../../contract/track-record.js';
import type { ApiContext } from '../context.js';
import { contentEtag, matchesEtag } from '../http/etag.js';
import { parseParameters } from '../http/parse.js';
import { exportTrackRecord, readTrackRecordView } from '../reading/track-record.js';

const cacheControl = 'public, max-age=30';

/** `/api/stats`: the track record. Public, so that anyone can check it. */
export function statsRouter(context: ApiContext): Router {
  return Router()
    .get('/track-record', trackRecord(context))
    .get('/track-record/reports', exportReports(context));
}

function trackRecord(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const body = JSON.stringify(await readTrackRecordView(context));
    const etag = contentEtag(body);
    response.set('Cache-Control', cacheControl).set('ETag', etag);
    if (matchesEtag(request, etag)) response.status(304).end();
    else response.type('application/json').send(body);
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
