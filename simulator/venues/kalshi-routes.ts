import { type KalshiMarket, type KalshiSample, type KalshiState, kalshiSamples } from './kalshi-state.js';

/** An answer of a venue. */
export interface VenueAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a request under `/trade-api/v2`, as Kalshi does. @param path without that prefix */
export function answerKalshi(state: KalshiState, path: string, query: URLSearchParams): VenueAnswer {
  const [room, first, second, third, last] = path.split('/').slice(1).map(decodeURIComponent);
  if (path === '/events') return listEvents(state, query);
  if (path === '/historical/cutoff') return ok(cutoff);
  if (path === '/historical/markets') return readHistory(state, query.get('event_ticker'));
  if (room === 'events' && first !== undefined && second === undefined) return readEvent(state, first, query);
  if (room === 'series' && first !== undefined && second === undefined) return readSeries(first);
  if (room === 'series' && second === 'markets' && last === 'candlesticks') {
    const live = kalshiSamples.flatMap(event => state.marketsOf(event));
    return readCandlesticks(named(live, third), query, liveCandlestick);
  }
  if (room === 'historical' && first === 'markets' && third === 'candlesticks') {
    const old = kalshiSamples.flatMap(event => state.historicalMarketsOf(event));
    return readCandlesticks(named(old, second), query, historicalCandlestick);
  }
  return notFound;
}

function named(markets: readonly KalshiMarket[], ticker: string | undefined): KalshiMarket | undefined {
  return markets.find(market => market.ticker === ticker);
}

/** Of the simulated markets, only those that were archived by hand are in the history. */
const cutoff = {
  market_settled_ts: '2026-08-26T00:00:00Z',
  trades_created_ts: '2026-08-26T00:00:00Z',
  orders_updated_ts: '2026-08-26T00:00:00Z',
};

const maxLimit = 200;

function listEvents(state: KalshiState, query: URLSearchParams): VenueAnswer {
  const limit = Number(query.get('limit') ?? maxLimit);
  if (!(limit >= 1 && limit <= maxLimit)) return badRequest('limit');
  const tickers = query.get('tickers')?.split(',');
  const series = query.get('series_ticker');
  const since = Number(query.get('min_updated_ts') ?? 0) * 1000;
  const matching = kalshiSamples.filter(
    event =>
      (tickers?.includes(event.ticker) ?? true) &&
      (series ?? event.series) === event.series &&
      state.updatedAt(event) >= since &&
      hasStatus(state, event, query.get('status')),
  );
  const from = Number(query.get('cursor') || 0);
  const page = matching.slice(from, from + limit);
  const cursor = from + limit < matching.length ? String(from + limit) : '';
  return ok({ events: page.map(event => eventOf(state, event, isNested(query))), cursor });
}

function hasStatus(state: KalshiState, event: KalshiSample, status: string | null): boolean {
  if (status === null) return true;
  const statuses = state.marketsOf(event).map(market => market.status);
  if (statuses.includes('active')) return status === 'open';
  return status === (statuses.every(each => each === 'finalized') ? 'settled' : 'closed');
}

function isNested(query: URLSearchParams): boolean {
  return query.get('with_nested_markets') === 'true';
}

function eventOf(state: KalshiState, event: KalshiSample, nested: boolean) {
  return {
    event_ticker: event.ticker,
    series_ticker: event.series,
    title: event.title,
    sub_title: 'Simulated',
    mutually_exclusive: event.exclusive,
    collateral_return_type: event.exclusive ? 'MECNET' : '',
    strike_date: event.waits,
    category: event.category,
    settlement_sources: [simulatedSource],
    last_updated_ts: new Date(state.updatedAt(event)).toISOString(),
    available_on_brokers: false,
    exchange_index: 0,
    ...(nested ? { markets: state.marketsOf(event) } : {}),
  };
}

const simulatedSource = { name: 'Simulated source', url: 'https://example.org/simulated-source' };

function readEvent(state: KalshiState, ticker: string, query: URLSearchParams): VenueAnswer {
  const event = kalshiSamples.find(each => each.ticker === ticker);
  if (event === undefined) return notFound;
  if (isNested(query)) return ok({ event: eventOf(state, event, true) });
  return ok({ event: eventOf(state, event, false), markets: state.marketsOf(event) });
}

function readHistory(state: KalshiState, ticker: string | null): VenueAnswer {
  const event = kalshiSamples.find(each => each.ticker === ticker);
  return ok({ markets: event === undefined ? [] : state.historicalMarketsOf(event), cursor: '' });
}

function readSeries(ticker: string): VenueAnswer {
  const event = kalshiSamples.find(({ series }) => series === ticker);
  if (event === undefined) return notFound;
  const { category, feeType, title } = event;
  const fees = { fee_type: feeType, fee_multiplier: 1 };
  const sources = [simulatedSource];
  return ok({
    series: { ticker, title, category, frequency: 'custom', tags: [], settlement_sources: sources, ...fees },
  });
}

function readCandlesticks(
  market: KalshiMarket | undefined,
  query: URLSearchParams,
  write: (market: KalshiMarket) => object,
): VenueAnswer {
  if (market === undefined) return notFound;
  const minutes = Number(query.get('period_interval'));
  if (![1, 60, 1440].includes(minutes)) return badRequest('period_interval');
  const [start, end] = [Number(query.get('start_ts')), Number(query.get('end_ts'))];
  const stepSeconds = minutes * 60;
  const first = Math.ceil(start / stepSeconds) * stepSeconds;
  const count = Math.floor((end - first) / stepSeconds) + 1;
  if (!(count <= maxCandlesticks)) return badRequest('end_ts');
  const candlesticks = Array.from({ length: Math.max(0, count) }, (_, index) => ({
    end_period_ts: first + index * stepSeconds,
    ...write(market),
  }));
  return ok({ ticker: market.ticker, candlesticks });
}

const maxCandlesticks = 5_000;

function liveCandlestick(market: KalshiMarket) {
  const same = (price: string) => ({
    open_dollars: price,
    low_dollars: price,
    high_dollars: price,
    close_dollars: price,
  });
  return {
    price: hasTraded(market) ? same(market.last_price_dollars) : { previous_dollars: null },
    yes_bid: same(market.yes_bid_dollars),
    yes_ask: same(market.yes_ask_dollars),
    volume_fp: '0.00',
    open_interest_fp: market.open_interest_fp,
  };
}

/** The history names no unit, and writes null where a live candlestick leaves a price out. */
function historicalCandlestick(market: KalshiMarket) {
  const same = (price: string | null) => ({ open: price, low: price, high: price, close: price });
  const last = hasTraded(market) ? market.last_price_dollars : null;
  return {
    price: { ...same(last), mean: last, previous: last },
    yes_bid: same(market.yes_bid_dollars),
    yes_ask: same(market.yes_ask_dollars),
    volume: '0.00',
    open_interest: market.open_interest_fp,
  };
}

/** Kalshi has no price of a period without trades. */
function hasTraded(market: KalshiMarket): boolean {
  return market.last_price_dollars !== '0.0000';
}

function ok(body: unknown): VenueAnswer {
  return { status: 200, body };
}

function badRequest(field: string): VenueAnswer {
  return { status: 400, body: { code: 'bad_request', message: `invalid ${field}`, details: field } };
}

const notFound: VenueAnswer = {
  status: 404,
  body: { code: 'not_found', message: 'not found', details: '' },
};
