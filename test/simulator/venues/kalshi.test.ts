import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createKalshiEventSource } from '../../../markets/kalshi/kalshi-event-source.js';
import { emptyKalshiIndex } from '../../../markets/kalshi/kalshi-index.js';
import { createKalshiKept } from '../../../markets/kalshi/kalshi-kept.js';
import { startVenues } from '../../../simulator/venues/start-venues.js';

let time = Date.parse('2026-11-26T12:00:00Z');
const venues = await startVenues({ now: () => time });
beforeEach(() => {
  time += 1_000;
  venues.control.clearFaults();
});
afterAll(() => venues.close());

async function read(path: string) {
  time += 250;
  return JSON.parse(await (await fetch(venues.kalshiUrl + path)).text());
}

test('the pages of the events join to all of them, each once', async () => {
  const tickers: string[] = [];
  let cursor = '';
  do {
    const page = await read(`/events?limit=3&status=open&cursor=${cursor}`);
    tickers.push(...page.events.map((event: { event_ticker: string }) => event.event_ticker));
    cursor = page.cursor;
  } while (cursor !== '');
  expect(new Set(tickers).size).toBe(7);
  expect(tickers).toHaveLength(7);
});

test('a page of more than 200 events is refused', async () => {
  expect(await read('/events?limit=201')).toMatchObject({ code: 'bad_request' });
});

test('each event states that it is simulated and trades nowhere', async () => {
  const { events } = await read('/events?with_nested_markets=true');
  for (const event of events) {
    expect(event.title).toContain('simulated');
    for (const market of event.markets) expect(market.rules_primary).toContain('trades nowhere');
  }
});

test('an empty book has the bounds as prices, with sizes of zero', async () => {
  const { event } = await read('/events/KXSIMEMPTY-31?with_nested_markets=true');
  expect(event.markets[0]).toMatchObject({
    yes_bid_dollars: '0.0000',
    yes_bid_size_fp: '0.00',
    yes_ask_dollars: '1.0000',
    yes_ask_size_fp: '0.00',
  });
});

test('two requests less than 250 ms apart get a 429 without Retry-After', async () => {
  await read('/historical/cutoff');
  const second = await fetch(`${venues.kalshiUrl}/historical/cutoff`);
  expect(second.status).toBe(429);
  expect(second.headers.get('retry-after')).toBeNull();
  expect(await second.json()).toEqual({ error: 'too many requests' });
});

test('a market goes through a dispute to its final word, and is then read as changed', async () => {
  const since = Math.floor(time / 1000);
  const ticker = 'KXSIMCUT-31MAR-YES';
  for (const status of ['determined', 'disputed', 'finalized'] as const) {
    venues.control.moveKalshi(ticker, { status, result: 'yes', value: '1.0000' });
    const { markets } = await read('/events/KXSIMCUT-31MAR');
    expect(markets[0]).toMatchObject({ status, result: 'yes', settlement_value_dollars: '1.0000' });
    expect(markets[0].settlement_ts === null).toBe(status !== 'finalized');
  }
  const { events } = await read(`/events?min_updated_ts=${since}`);
  expect(events).toEqual([expect.objectContaining({ event_ticker: 'KXSIMCUT-31MAR' })]);
});

test('candlesticks are one a period, with decimal strings', async () => {
  const path = '/series/KXSIMCUP/markets/KXSIMCUP-31-RSA/candlesticks';
  const { candlesticks } = await read(`${path}?start_ts=3600&end_ts=10800&period_interval=60`);
  expect(candlesticks).toHaveLength(3);
  expect(candlesticks[0]).toMatchObject({ end_period_ts: 3600, price: { close_dollars: '0.3100' } });
});

test('a market that never traded has candlesticks without a price', async () => {
  const path = '/series/KXSIMEMPTY/markets/KXSIMEMPTY-31-YES/candlesticks';
  const { candlesticks } = await read(`${path}?start_ts=3600&end_ts=3600&period_interval=60`);
  expect(candlesticks).toEqual([expect.objectContaining({ price: { previous_dollars: null } })]);
});

test('the candlesticks of a market that moved to the history are only there, and name their prices otherwise', async () => {
  const ticker = 'KXSIMGAS-31MAR-3.00';
  const live = `/series/KXSIMGAS/markets/${ticker}/candlesticks`;
  const historical = `/historical/markets/${ticker}/candlesticks`;
  const times = 'start_ts=3600&end_ts=10800&period_interval=60';
  expect(await read(`${historical}?${times}`)).toMatchObject({ code: 'not_found' });
  venues.control.archiveKalshi(ticker);
  expect(await read(`${live}?${times}`)).toMatchObject({ code: 'not_found' });
  const { candlesticks } = await read(`${historical}?${times}`);
  expect(candlesticks).toHaveLength(3);
  expect(candlesticks[0]).toEqual({
    end_period_ts: 3600,
    price: {
      open: '0.9100',
      low: '0.9100',
      high: '0.9100',
      close: '0.9100',
      mean: '0.9100',
      previous: '0.9100',
    },
    yes_bid: { open: '0.9000', low: '0.9000', high: '0.9000', close: '0.9000' },
    yes_ask: { open: '0.9200', low: '0.9200', high: '0.9200', close: '0.9200' },
    volume: '0.00',
    open_interest: '5000.00',
  });
  expect(await read(`${historical}?start_ts=0&end_ts=60&period_interval=7`)).toMatchObject({
    code: 'bad_request',
  });
});

test('our adapter reads the past prices of a market before and after it moved to the history', async () => {
  const source = createKalshiEventSource({
    baseUrl: venues.kalshiUrl,
    fetch: (...request) => {
      time += 250;
      return fetch(...request);
    },
    timeoutMs: 5_000,
    index: emptyKalshiIndex,
    kept: createKalshiKept(() => new Date(time)),
  });
  const query = {
    eventId: 'kalshi:KXSIMFLAT-31',
    marketId: 'KXSIMFLAT-31-YES',
    from: '2026-11-20T00:00:00Z',
    to: '2026-11-20T02:00:00Z',
  };
  const live = await source.readPrices(query);
  expect(live).toHaveLength(3);
  venues.control.archiveKalshi(query.marketId);
  expect(await source.readPrices(query)).toEqual(live);
  expect(venues.requests.at(-1)?.path).toContain(`/historical/markets/${query.marketId}/candlesticks?`);
});

test('a fault ends by itself', async () => {
  venues.control.setFault('kalshi', 'throttle', 1_000);
  expect(await read('/historical/cutoff')).toEqual({ error: 'too many requests' });
  time += 1_000;
  expect(await read('/historical/cutoff')).toHaveProperty('market_settled_ts');
});
