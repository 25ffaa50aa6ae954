import type { VenueAnswer } from './kalshi-routes.js';
import type { PolymarketState } from './polymarket-state.js';

/** Answers a request to Gamma, the data API or the CLOB, whose paths do not overlap. */
export function answerPolymarket(state: PolymarketState, path: string, query: URLSearchParams): VenueAnswer {
  const events = state.events();
  if (path === '/events') return ok(pageOf(listed(state, query), query, Number(query.get('offset') ?? 0)));
  if (path === '/events/keyset') return readKeyset(state, query);
  if (path === '/public-search') return search(state, query);
  if (path === '/v2/resolutions') return readResolutions(state, query);
  if (path === '/prices-history') return readPrices(state, query);
  const slug = /^\/events\/slug\/([^/]+)$/.exec(path)?.[1];
  const id = /^\/events\/(\d+)$/.exec(path)?.[1];
  const event = events.find(each => each.id === id || each.slug === slug);
  return event === undefined
    ? { status: 404, body: { type: 'not found error', error: 'not found' } }
    : ok(event);
}

type Events = ReturnType<PolymarketState['events']>;

function listed(state: PolymarketState, query: URLSearchParams): Events {
  const closed = query.get('closed');
  return state
    .events()
    .filter(event => closed === null || String(event.closed) === closed)
    .toSorted((one, other) => other.volume - one.volume);
}

function pageOf(events: Events, query: URLSearchParams, from: number): Events {
  return events.slice(from, from + Number(query.get('limit') ?? 20));
}

function readKeyset(state: PolymarketState, query: URLSearchParams): VenueAnswer {
  const from = Number(query.get('after_cursor') ?? 0);
  const all = listed(state, query);
  const events = pageOf(all, query, from);
  const next = from + events.length;
  return ok({ events, ...(next < all.length ? { next_cursor: String(next) } : {}) });
}

/** Finds the events whose title has each of the words. */
function search(state: PolymarketState, query: URLSearchParams): VenueAnswer {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/);
  const status = query.get('events_status');
  const found = state
    .events()
    .filter(({ title }) => words.every(word => title.toLowerCase().includes(word)))
    .filter(({ closed }) => status === null || (status === 'active') === !closed);
  const size = Number(query.get('limit_per_type') ?? 20);
  const end = Number(query.get('page') ?? 1) * size;
  const pagination = { hasMore: end < found.length, totalResults: found.length };
  return ok({ events: found.slice(end - size, end), pagination });
}

function readResolutions(state: PolymarketState, query: URLSearchParams): VenueAnswer {
  const conditions = query.get('condition')?.split(',') ?? [];
  if (conditions.length === 0 || conditions.length > maxConditions) {
    return { status: 400, body: { error: 'invalid condition' } };
  }
  return ok({ data: state.resolutions(conditions) });
}

const maxConditions = 20;

/** The last price, flat over the time that was asked for; `fidelity` is in minutes. */
function readPrices(state: PolymarketState, query: URLSearchParams): VenueAnswer {
  const token = query.get('market') ?? '';
  const market = state
    .events()
    .flatMap(({ markets }) => markets)
    .find(({ id }) => token === `${id}1` || token === `${id}2`);
  if (market === undefined) return ok({ history: [] });
  const stepSeconds = Number(query.get('fidelity') ?? 60) * 60;
  const [start, end] = [Number(query.get('startTs')), Number(query.get('endTs'))];
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
