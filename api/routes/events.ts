import compression from 'compression';
import { Router } from 'express';
import { eventSearchParameters } from '../../contract/events.js';
import type { ApiContext } from '../context.js';
import { sendShared } from '../http/etag.js';
import { parseParameters } from '../http/parse.js';
import { presentEvent } from '../present/event.js';
import { findEvent } from '../purchases/find-event.js';

/** Prices move at any time: a cache may keep a response, and has to ask whether it is the present one. */
const cacheControl = 'public, no-cache';

/** `/api/events`: the events that the council can run on. Public and free. */
export function eventsRouter({ markets }: ApiContext): Router {
  const router = Router().use(compression());

  router.get('/', async (request, response) => {
    const { search = '', page, per_page, status } = parseParameters(eventSearchParameters, request.query);
    const { value, ageSeconds } = await markets.search({ search, page, perPage: per_page, status });
    const events = value.events.map(presentEvent);
    const list = { events, page, per_page, ...(value.total === null ? {} : { total: value.total }) };
    response.set('Age', String(ageSeconds));
    sendShared(request, response, JSON.stringify(list), cacheControl);
  });

  router.get('/:event_id', async (request, response) => {
    const { value, ageSeconds } = await findEvent(markets, request.params.event_id, 'browse');
    response.set('Age', String(ageSeconds));
    sendShared(request, response, JSON.stringify(presentEvent(value)), cacheControl);
  });

  return router;
}
