import { afterAll, beforeEach, expect, test } from '@jest/globals';
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

test('a fault ends by itself', async () => {
  venues.control.setFault('kalshi', 'throttle', 1_000);
  expect(await read('/historical/cutoff')).toEqual({ error: 'too many requests' });
  time += 1_000;
  expect(await read('/historical/cutoff')).toHaveProperty('market_settled_ts');
});
