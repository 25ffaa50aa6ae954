import type { eventOperations } from '../../contract/events.js';
import type { Venue } from '../../council/event.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { type Handlers, Shared } from '../http/serve-operations.js';
import { presentEvent } from '../present/event.js';
import { findEvent } from '../purchases/find-event.js';

/** Prices move at any time: a cache may keep a response, and has to ask whether it is the present one. */
const cacheControl = 'public, no-cache';

/** The events that the council can run on. */
export function eventHandlers({
  markets,
}: ApiContext): Omit<Handlers<typeof eventOperations>, 'getEventPrices'> {
  return {
    searchEvents: async ({ query, response }) => {
      const { search = '', venue = null, category = null, page, per_page, ...rest } = query;
      if (venue !== null && !markets.venues.includes(venue)) throw notOffered(markets.venues);
      const { value, ageSeconds } = await markets.search(
        { search, category, ...rest, skip: (page - 1) * per_page, limit: per_page },
        venue,
      );
      response.set('Age', String(ageSeconds));
      const events = value.events.map(presentEvent);
      const total = value.total === null ? {} : { total: value.total };
      const { venues } = markets;
      return new Shared(
        { events, page, per_page, ...total, venues, unavailable: value.unavailable },
        cacheControl,
      );
    },
    getEvent: async ({ parameters: { event_id }, response }) => {
      const { value, ageSeconds } = await findEvent(markets, event_id, 'browse');
      response.set('Age', String(ageSeconds));
      return new Shared(presentEvent(value), cacheControl);
    },
  };
}

function notOffered(venues: readonly Venue[]): Problem {
  const detail = `this service reads only ${venues.join(' and ')}`;
  return new Problem('invalid_request', `venue: ${detail}`, { errors: [{ parameter: 'venue', detail }] });
}
