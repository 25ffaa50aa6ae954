import { z } from 'zod';
import type { VenueAnswer } from './kalshi-routes.js';
import type { PolymarketState } from './polymarket-state.js';

/** Answers a request to Gamma, the data API or the CLOB, whose paths do not overlap. */
export function answerPolymarket(
  { polymarket: state, now }: PolymarketContext,
  path: string,
  query: URLSearchParams,
): VenueAnswer {
  const events = state.events();
  if (path === '/events' || path === '/events/keyset') return list(events, path, query);
  if (path === '/public-search') return search(state, query);
  if (path === '/v2/resolutions') return readResolutions(state, query);
  if (path === '/prices-history') return readPrices(state, query, now());
  const slug = /^\/events\/slug\/([^/]+)$/.exec(path)?.[1];
  const id = /^\/events\/(\d+)$/.exec(path)?.[1];
  const event = events.find(each => each.id === id || each.slug === slug);
  return event === undefined
    ? { status: 404, body: { type: 'not found error', error: 'not found' } }
    : ok(event);
}

interface PolymarketContext {
  readonly polymarket: PolymarketState;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

type Events = ReturnType<PolymarketState['events']>;

const flag = z.enum(['true', 'false']);
const place = z.coerce.number().int().min(0).default(0);

/** Gamma ignores parameters that it does not know. */
const listQuery = z.object({
  tag_slug: z.string().optional(),
  order: z.enum(['volume', 'endDate']).optional(),
  ascending: flag.default('true'),
  closed: flag.optional(),
  end_date_min: z.coerce.date().optional(),
  end_date_max: z.coerce.date().optional(),
  limit: z.coerce.number().int().min(1).default(20),
  offset: place,
  after_cursor: place,
});

type ListQuery = z.infer<typeof listQuery>;

/** The list with cursors is an object, and the older one with offsets an array. */
function list(events: Events, path: '/events' | '/events/keyset', asked: URLSearchParams): VenueAnswer {
  const read = listQuery.safeParse(Object.fromEntries(asked));
  if (!read.success) return invalid(read.error.issues[0]?.path.join('.') ?? '');
  const query = read.data;
  const all = events.filter(event => isListed(event, query)).toSorted(orderOf(query));
  const from = path === '/events' ? query.offset : query.after_cursor;
  const end = from + query.limit;
  const page = all.slice(from, end);
  if (path === '/events') return ok(page);
  return ok({ events: page, ...(end < all.length ? { next_cursor: String(end) } : {}) });
}

function isListed(event: Events[number], query: ListQuery): boolean {
  const end = Date.parse(event.endDate);
  return (
    (query.tag_slug === undefined || event.tags.some(({ slug }) => slug === query.tag_slug)) &&
    (query.closed === undefined || String(event.closed) === query.closed) &&
    (query.end_date_min === undefined || end >= query.end_date_min.getTime()) &&
    (query.end_date_max === undefined || end <= query.end_date_max.getTime())
  );
}

function orderOf({ order, ascending }: ListQuery): (one: Events[number], other: Events[number]) => number {
  const sign = ascending === 'true' ? 1 : -1;
  const rank = (event: Events[number]) =>
    order === undefined ? 0 : order === 'volume' ? event.volume : Date.parse(event.endDate);
  return (one, other) => sign * (rank(one) - rank(other));
}

/** Finds the events whose title has each of the words. Their closed markets are kept only if the query says so. */
function search(state: PolymarketState, query: URLSearchParams): VenueAnswer {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/);
  const isClosed = searchedStatuses.get(query.get('events_status') ?? '');
  const keepsClosed = query.get('keep_closed_markets') === '1';
  const found = state
    .events()
    .filter(({ title }) => words.every(word => title.toLowerCase().includes(word)))
    .filter(({ closed }) => isClosed === undefined || closed === isClosed)
    .map(event => (keepsClosed ? event : { ...event, markets: event.markets.filter(isOpen) }));
  const size = Number(query.get('limit_per_type') ?? 20);
  const end = Number(query.get('page') ?? 1) * size;
  const pagination = { hasMore: end < found.length, totalResults: found.length };
  return ok({ events: found.slice(end - size, end), pagination });
}

/** Gamma ignores other statuses. */
const searchedStatuses: ReadonlyMap<string, boolean> = new Map([
  ['active', false],
  ['resolved', true],
]);

function isOpen({ closed }: { readonly closed: boolean }): boolean {
  return !closed;
}

function readResolutions(state: PolymarketState, query: URLSearchParams): VenueAnswer {
  const conditions = query.get('condition')?.split(',') ?? [];
  if (conditions.length === 0 || conditions.length > maxConditions) {
    return { status: 400, body: { error: 'invalid condition' } };
  }
  return ok({ data: state.resolutions(conditions) });
}

const maxConditions = 20;

/**
 * The last price, flat over the time that was asked for, or with `interval=max` from the market's start to `now`;
 * `fidelity` is in minutes.
 */
function readPrices(state: PolymarketState, query: URLSearchParams, now: number): VenueAnswer {
  const token = query.get('market') ?? '';
  const market = state
    .events()
    .flatMap(({ markets }) => markets)
    .find(({ id }) => token === `${id}1` || token === `${id}2`);
  if (market === undefined) return ok({ history: [] });
  const stepSeconds = Number(query.get('fidelity') ?? 60) * 60;
  const [start, end] =
    query.get('interval') === 'max'
      ? [Date.parse(market.startDate) / 1_000, Math.floor(now / 1_000)]
      : [Number(query.get('startTs')), Number(query.get('endTs'))];
  const count = Math.floor((end - start) / stepSeconds) + 1;
  if (!(count <= maxPoints)) return { status: 400, body: { error: 'invalid filters' } };
  const p = token === `${market.id}1` ? market.lastTradePrice : 1 - market.lastTradePrice;
  const history = Array.from({ length: Math.max(0, count) }, (_, index) => ({
    t: start + index * stepSeconds,
    p,
  }));
  return ok({ history });
}

const maxPoints = 20_000;

function ok(body: unknown): VenueAnswer {
  return { status: 200, body };
}

function invalid(field: string): VenueAnswer {
  return { status: 422, body: { type: 'validation error', error: `${field} is not valid` } };
}
