import { Router } from 'express';
import { eventSearchParameters } from '../../contract/events.js';
import type { ApiContext } from '../context.js';
import { parseParameters } from '../http/parse.js';
import { presentEvent } from '../present/event.js';
import { findEvent } from '../purchases/find-event.js';

/** `/api/events`: the events that the council can run on. Public and free. */
export function eventsRouter(context: ApiContext): Router {
  const router = Router();

  router.get('/', async (request, response) => {
    const { search = '', page, per_page, status } = parseParameters(eventSearchParameters, request.query);
    const found = await context.markets.search({ search, page, perPage: per_page, status });
    const events = found.events.map(presentEvent);
    response.json({ events, page, per_page, ...(found.total === null ? {} : { total: found.total }) });
  });

  router.get('/:event_id', async (request, response) => {
    response.json(presentEvent(await findEvent(context.markets, request.params.event_id)));
  });

  return router;
}
