import { type eventOperations, pricePointsMax, pricesDefaultDays } from '../../contract/events.js';
import type { Market, MarketEvent, Venue } from '../../council/event.js';
import type { PricePoint } from '../../markets/event-source.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { type Handlers, Shared } from '../http/serve-operations.js';
import { presentEvent } from '../present/event.js';
import { findEvent } from '../purchases/find-event.js';

/** Prices move at any time: a cache may keep a response, and has to ask whether it is the present one. */
const cacheControl = 'public, no-cache';

/** The events that the council can run on, and what their markets traded at. */
export function eventHandlers({ markets, now }: ApiContext): Handlers<typeof eventOperations> {
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
    getEventPrices: async ({ parameters: { event_id }, query, response }) => {
      const { value: event } = await findEvent(markets, event_id, 'browse');
      const { marketId, name, slug } = marketOf(event, query.market);
      const span = spanOf(query, now());
      const { value, ageSeconds } = await markets.readPrices({ eventId: event.eventId, marketId, ...span });
      response.set('Age', String(ageSeconds));
      const points = thinned(value ?? []).map(({ at, yesPrice }) => ({ at, yes_price: yesPrice }));
      return new Shared({ event_id: event.eventId, market: name, slug, points }, cacheControl);
    },
  };
}

function notOffered(venues: readonly Venue[]): Problem {
  const detail = `this service reads only ${venues.join(' and ')}`;
  return new Problem('invalid_request', `venue: ${detail}`, { errors: [{ parameter: 'venue', detail }] });
}

/** @throws Problem `event_not_found` */
function marketOf(event: MarketEvent, slugOrName: string | undefined): Market {
  const shown = event.markets.filter(market => !market.placeholder);
  const named =
    shown.find(({ slug }) => slug === slugOrName) ?? shown.find(({ name }) => name === slugOrName);
  const market = slugOrName === undefined ? shown[0] : named;
  if (market === undefined)
    throw new Problem('event_not_found', 'The event has no market of this slug or name.');
  return market;
}

/** Rounded, so that readers within the same minutes share one reading of the venue. */
function spanOf(query: { readonly from?: string | undefined; readonly to?: string | undefined }, now: Date) {
  const toMs = query.to === undefined ? now.getTime() : Date.parse(query.to);
  const fromMs = query.from === undefined ? toMs - pricesDefaultDays * 86_400_000 : Date.parse(query.from);
  return {
    from: new Date(Math.floor(fromMs / roundedMs) * roundedMs).toISOString(),
    to: new Date(Math.ceil(toMs / roundedMs) * roundedMs).toISOString(),
  };
}

const roundedMs = 5 * 60_000;

/** Evenly chosen points, with the first and the last. */
function thinned(points: readonly PricePoint[]): readonly PricePoint[] {
  if (points.length <= pricePointsMax) return points;
  const step = (points.length - 1) / (pricePointsMax - 1);
  return Array.from({ length: pricePointsMax }, (_, index) => points[Math.round(index * step)]).filter(
    point => point !== undefined,
  );
}
