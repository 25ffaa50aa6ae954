import type { EventQuery } from '../../council/market/event-choice.js';
import { venueCategories } from '../categories.js';
import type { KalshiIndex } from './kalshi-index.js';

/** The index in the database, with the service's categories as Kalshi names them. */
export function createKalshiIndex(find: FindTickers, now: () => Date): KalshiIndex {
  return {
    search: query =>
      find({
        ...query,
        categories: query.category === null ? null : venueCategories[query.category].kalshi,
        skip: Math.max(0, Math.trunc(query.skip)),
        limit: Math.min(eventsMax, Math.max(1, Math.trunc(query.limit))),
        now: now(),
      }),
  };
}

/** As `searchKalshiEvents` of `db/market/kalshi-events.ts`. */
type FindTickers = (
  query: EventQuery & { readonly categories: readonly string[] | null; readonly now: Date },
) => ReturnType<KalshiIndex['search']>;

/** More would not fit into one request to the venue. */
const eventsMax = 100;
