import type { EventQuery } from '../../council/market/event-choice.js';
import { venueCategories } from '../categories.js';
import { MarketUnavailable } from '../event-source.js';
import type { KalshiIndex } from './kalshi-index.js';

/**
 * The index in the database, with the service's categories as Kalshi names them. Until something was read into it, the
 * venue counts as unavailable: an empty page would say that it has no events.
 */
export function createKalshiIndex(find: FindTickers, now: () => Date): KalshiIndex {
  return {
    search: async query => {
      const { isEmpty, ...found } = await find({
        ...query,
        categories: query.category === null ? null : venueCategories[query.category].kalshi,
        skip: Math.max(0, Math.trunc(query.skip)),
        limit: Math.min(eventsMax, Math.max(1, Math.trunc(query.limit))),
        now: now(),
      });
      if (isEmpty) throw new MarketUnavailable('Events of Kalshi cannot be found yet.', filledWithinSeconds);
      return found;
    },
  };
}

/** As `searchKalshiEvents` of `db/market/kalshi-events.ts`. */
type FindTickers = (
  query: EventQuery & { readonly categories: readonly string[] | null; readonly now: Date },
) => Promise<Awaited<ReturnType<KalshiIndex['search']>> & { readonly isEmpty: boolean }>;

/** The duty `fill-kalshi-index` begins a minute after the service is installed. */
const filledWithinSeconds = 60;

/** More would not fit into one request to the venue. */
const eventsMax = 100;
