import { type eventOperations, pricePointsMax, pricesDefaultDays } from '../../contract/events.js';
import type { Market, MarketEvent } from '../../council/event.js';
import type { PricePoint } from '../../markets/event-source.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import { type Handlers, Shared } from '../http/serve-operations.js';
import { findEvent } from '../purchases/find-event.js';

/** What the markets of an event traded at. */
export function eventPriceHandlers({
  markets,
  now,
}: ApiContext): Pick<Handlers<typeof eventOperations>, 'getEventPrices'> {
  return {
    getEventPrices: async ({ parameters: { event_id }, query, response }) => {
      const { value: event } = await findEvent(markets, event_id, 'browse');
      const { marketId, name, slug } = marketOf(event, query.market);
      const span = spanOf(query, now());
      const { value, ageSeconds } = await markets.readPrices({ eventId: event.eventId, marketId, ...span });
      response.set('Age', String(ageSeconds));
      const points = thinned(value ?? []).map(({ at, yesPrice }) => ({ at, yes_price: yesPrice }));
      return new Shared({ event_id: event.eventId, market: name, slug, points }, 'public, no-cache');
    },
  };
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
