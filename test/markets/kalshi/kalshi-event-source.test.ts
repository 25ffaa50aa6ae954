import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { countUnreadable } from '../../../markets/count-unreadable.js';
import { createKalshiEventSource } from '../../../markets/kalshi/kalshi-event-source.js';
import { createKalshiKept, type KalshiKept } from '../../../markets/kalshi/kalshi-kept.js';
import { throttledSeconds } from '../../../markets/kalshi/kalshi-reads.js';
import { eventQuery } from '../event-query.js';
import { type FakeGamma, sendJson, startFakeGamma } from '../polymarket/fake-gamma.js';
import { kalshiEvent, kalshiMarket, kalshiSeries, settledMarket } from './kalshi-fixtures.js';

const eventId = 'kalshi:KXRAIN-31MAR01';
const eventPath = '/events/KXRAIN-31MAR01?with_nested_markets=true';

/** Answers by path. What has none is not found, in the shape of Kalshi's errors. */
let answers: Record<string, unknown>;
let status: number;
let venue: FakeGamma;
let nowMs: number;
let tickers: string[];
let kept: KalshiKept;

beforeEach(async () => {
  answers = {
    '/events/KXRAIN-31MAR01': { event: kalshiEvent() },
    '/series/KXRAIN': { series: kalshiSeries() },
  };
  status = 200;
  nowMs = Date.parse('2031-02-20T12:00:00Z');
  tickers = [];
  kept = createKalshiKept(() => new Date(nowMs));
  venue = await startFakeGamma(({ url }, response) => {
    const answer = answers[url.pathname];
    if (status === 429) return sendJson(response, { error: 'too many requests' }, status);
    if (answer === undefined) return sendJson(response, { code: 'not_found', message: 'not found' }, 404);
    return sendJson(response, answer);
  });
});

afterEach(() => venue.close());

function open() {
  return createKalshiEventSource({
    fetch,
    timeoutMs: 2_000,
    baseUrl: venue.baseUrl,
    index: { search: async () => ({ tickers, total: 41 }) },
    kept,
  });
}

test('a search reads the found events in one request and keeps the order of the index', async () => {
  tickers = ['C', 'A', 'B', 'GONE'];
  const found = (event_ticker: string, more = {}) => kalshiEvent({ event_ticker, ...more });
  const closed = { markets: [settledMarket('yes', '1.0000')] };
  answers['/events'] = { events: [found('A'), found('B', closed), found('C'), { odd: true }], cursor: '' };
  const { events, total } = await open().search(eventQuery({ search: 'rain' }));
  expect([events.map(event => event.eventId), total]).toEqual([['kalshi:C', 'kalshi:A'], 41]);
  expect(venue.requests).toEqual(['/events?tickers=C%2CA%2CB%2CGONE&with_nested_markets=true&limit=200']);
});

test('a search that finds nothing sends no request', async () => {
  expect(await open().search(eventQuery({ search: 'snow' }))).toEqual({ events: [], total: 41 });
  expect(venue.requests).toEqual([]);
});

test('an event is read with its series, which is kept for a day', async () => {
  const source = open();
  expect((await source.get(eventId))?.markets[0]?.takerFee?.rate).toBe(0.07);
  await source.get(eventId);
  expect(venue.requests).toEqual([eventPath, '/series/KXRAIN', eventPath]);
  nowMs += 86_400_000;
  await source.get(eventId);
  expect(venue.requests.at(-1)).toBe('/series/KXRAIN');
});

test('sources that read for different purposes read a series once', async () => {
  for (const _ of ['browse', 'check', 'purchase']) {
    expect((await open().get(eventId))?.markets[0]?.takerFee?.rate).toBe(0.07);
  }
  expect(venue.requests.filter(path => path.startsWith('/series/'))).toEqual(['/series/KXRAIN']);
});

test('a found event has the category that it names itself, and fee and category of its series once that was read', async () => {
  tickers = ['KXRAIN-31MAR01'];
  answers['/events'] = { events: [kalshiEvent()] };
  const found = async () => (await open().search(eventQuery({ search: 'rain' }))).events[0];
  expect(await found()).toMatchObject({ category: 'Climate', markets: [{ takerFee: null }] });
  await open().get(eventId);
  expect(await found()).toMatchObject({
    category: 'Climate and Weather',
    markets: [{ takerFee: { rate: 0.07 } }],
  });
});

test('an event of an unknown series has no fee, and one without markets is not known', async () => {
  delete answers['/series/KXRAIN'];
  expect((await open().get(eventId))?.markets[0]?.takerFee).toBeNull();
  answers['/events/KXRAIN-31MAR01'] = { event: kalshiEvent({ markets: null }) };
  expect(await open().get(eventId)).toBeNull();
});

test('an unknown event is null, and a name that is no ticker is not asked for', async () => {
  expect(await open().get('kalshi:KXSNOW')).toBeNull();
  expect(await open().get('kalshi:../series')).toBeNull();
  expect(await open().get('123')).toBeNull();
  expect(venue.requests).toEqual(['/events/KXSNOW?with_nested_markets=true']);
});

test('an event in integer cents cannot be read', async () => {
  answers['/events/KXRAIN-31MAR01'] = {
    event: kalshiEvent({ markets: [kalshiMarket({ yes_bid_dollars: 40 })] }),
  };
  await expect(open().get(eventId)).rejects.toThrow('Kalshi answered with data that cannot be read.');
});

test('an ending has the words of nested markets and of those that moved to the history', async () => {
  answers['/events/KXRAIN-31MAR01'] = { event: kalshiEvent({ exchange_index: 2 }) };
  answers['/historical/markets'] = {
    markets: [settledMarket('no', '0.0000', { ticker: 'OLD' })],
    cursor: '',
  };
  const ending = await open().readEnding(eventId, ['OLD', 'KXRAIN-31MAR01-NYC']);
  expect(ending?.event.markets.map(({ marketId }) => marketId)).toEqual(['KXRAIN-31MAR01-NYC', 'OLD']);
  expect(ending?.words).toMatchObject({
    'KXRAIN-31MAR01-NYC': { resolution: 'unresolved' },
    OLD: { resolution: 'no', decidedBy: 'exchange' },
  });
  expect(venue.requests[1]).toBe(
    '/historical/markets?event_ticker=KXRAIN-31MAR01&limit=1000&exchange_index=2',
  );
});

test('a result that contradicts its value is counted as unreadable, and the other markets keep their words', async () => {
  const markets = [
    settledMarket('yes', '0.0000', { ticker: 'ODD' }),
    settledMarket('no', '0.0000', { ticker: 'EVEN' }),
  ];
  answers['/events/KXRAIN-31MAR01'] = { event: kalshiEvent({ markets }) };
  let counted = 0;
  const source = countUnreadable(open(), () => counted++);
  const ending = await source.readEnding(eventId, ['ODD', 'EVEN']);
  expect(ending?.words).toMatchObject({
    ODD: { resolution: 'void', settlementValue: 0 },
    EVEN: { resolution: 'no', decidedBy: 'exchange' },
  });
  expect(counted).toBe(1);
});

test('the history is asked only if markets are missing', async () => {
  await open().readEnding(eventId, ['KXRAIN-31MAR01-NYC']);
  expect(venue.requests).toEqual([eventPath, '/series/KXRAIN']);
  answers['/events/KXRAIN-31MAR01'] = { event: kalshiEvent({ markets: [] }) };
  expect(await open().readEnding(eventId)).toBeNull();
  answers['/historical/markets'] = { markets: [settledMarket('yes', '1.0000')], cursor: '' };
  expect((await open().readEnding(eventId))?.event.markets).toHaveLength(1);
});

test('prices are trades by the hour, and a period without one has the price before', async () => {
  const candle = (end_period_ts: number, price: unknown) => ({
    end_period_ts,
    price,
    yes_bid: {
      open_dollars: '0.4000',
      low_dollars: '0.4000',
      high_dollars: '0.4000',
      close_dollars: '0.4000',
    },
    volume_fp: '1.00',
    open_interest_fp: '9.00',
  });
  const path = '/series/KXRAIN/markets/KXRAIN-31MAR01-NYC/candlesticks';
  answers[path] = {
    ticker: 'KXRAIN-31MAR01-NYC',
    candlesticks: [
      candle(1_928_962_800, {}),
      candle(1_928_966_400, { close_dollars: '0.4100', previous_dollars: '0.3000' }),
      candle(1_928_970_000, { close_dollars: null, previous_dollars: '0.4100' }),
    ],
  };
  const query = { eventId, marketId: 'KXRAIN-31MAR01-NYC', from: '2031-02-15T00:00:00Z' };
  expect(await open().readPrices({ ...query, to: '2031-02-16T00:00:00Z' })).toEqual([
    { at: new Date(1_928_966_400_000).toISOString(), yesPrice: 0.41 },
    { at: new Date(1_928_970_000_000).toISOString(), yesPrice: 0.41 },
  ]);
  expect(venue.requests.at(-1)).toBe(
    `${path}?start_ts=1928880000&end_ts=1928966400&period_interval=60&include_latest_before_start=true`,
  );
  await open().readPrices({ ...query, to: '2031-03-16T00:00:00Z' });
  expect(venue.requests.at(-1)).toContain('period_interval=1440');
  expect(await open().readPrices({ ...query, marketId: 'KXNO', to: '2031-02-16T00:00:00Z' })).toBeNull();
});

test('prices of a market that moved to the history are read there', async () => {
  const path = '/historical/markets/OLD/candlesticks';
  const price = { open: null, low: null, high: null, close: '0.2500', mean: null, previous: null };
  answers[path] = { ticker: 'OLD', candlesticks: [{ end_period_ts: 1_928_966_400, price, volume: '1.00' }] };
  const span = { from: '2031-02-15T00:00:00Z', to: '2031-02-16T00:00:00Z' };
  const prices = await open().readPrices({ eventId, marketId: 'OLD', ...span });
  expect(prices).toEqual([{ at: '2031-02-16T00:00:00.000Z', yesPrice: 0.25 }]);
  expect(venue.requests.at(-1)).toBe(`${path}?start_ts=1928880000&end_ts=1928966400&period_interval=60`);
});

test('after a 429 without Retry-After, the pause doubles from 2 seconds to a minute', async () => {
  status = 429;
  const source = open();
  await expect(source.get(eventId)).rejects.toMatchObject({ retryAfterSeconds: 2 });
  await expect(source.get(eventId)).rejects.toMatchObject({ retryAfterSeconds: 4 });
  expect([5, 6, 50].map(throttledSeconds)).toEqual([32, 60, 60]);
});
