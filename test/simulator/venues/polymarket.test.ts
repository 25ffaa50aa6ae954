import { afterAll, expect, test } from '@jest/globals';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { startVenues } from '../../../simulator/venues/start-venues.js';
import { eventQuery } from '../../markets/event-query.js';

let time = Date.parse('2026-11-26T12:00:00Z');
const venues = await startVenues({ now: () => time });
afterAll(() => venues.close());

const [cut, cup, treaty] = ['910001', '910002', '910003'] as const;
const source = createGammaEventSource({
  baseUrl: venues.gammaUrl,
  dataUrl: venues.dataUrl,
  clobUrl: venues.clobUrl,
  fetch,
  timeoutMs: 5_000,
  now: () => new Date(time),
});
const listed = async (...query: Parameters<typeof eventQuery>) =>
  (await source.search(eventQuery(...query))).events.map(({ eventId }) => eventId);

async function read(url: string) {
  return JSON.parse(await (await fetch(url)).text());
}

test('a search, a list and a slug find the same event', async () => {
  const found = await read(`${venues.gammaUrl}/public-search?q=rugby`);
  const slug = await read(`${venues.gammaUrl}/events/slug/simulated-rugby-world-cup-2031`);
  const batch = await read(`${venues.gammaUrl}/events/keyset?limit=2`);
  expect(found.events).toEqual([slug]);
  expect(batch.events).toContainEqual(slug);
  expect(slug.description).toContain('trades nowhere');
});

test.each([
  ['tag_slug=sports', [cup]],
  ['tag_slug=simulated', [cut, cup, treaty]],
  ['tag_slug=weather', []],
  ['order=volume&ascending=true', [treaty, cup, cut]],
  ['order=volume&ascending=false', [cut, cup, treaty]],
  ['order=endDate&ascending=true', [treaty, cut, cup]],
  ['order=endDate&ascending=false', [cup, cut, treaty]],
  ['end_date_min=2031-03-19T18:00:00Z', [cut, cup]],
  ['end_date_max=2031-03-19T18:00:00Z', [cut, treaty]],
  ['end_date_min=2031-03-18T00:00:00Z&end_date_max=2031-04-01T00:00:00Z&closed=false', [cut]],
  ['closed=true', []],
  ['order=volume&ascending=true&limit=1&offset=1', [cup]],
])('both lists of events answer ?%s as it asks', async (query, expected) => {
  const events = await read(`${venues.gammaUrl}/events?${query}`);
  expect(events.map(({ id }: { id: string }) => id)).toEqual(expected);
  if (query.includes('offset')) return;
  const batch = await read(`${venues.gammaUrl}/events/keyset?${query}`);
  expect(batch.events).toEqual(events);
});

test.each([
  'order=popularity',
  'end_date_min=soon',
  'end_date_max=late',
  'closed=maybe',
  'limit=0',
  'offset=-1',
])('a list of events that is asked for with %s is refused', async query => {
  const answer = await fetch(`${venues.gammaUrl}/events?${query}`);
  expect([answer.status, await answer.json()]).toEqual([
    422,
    { type: 'validation error', error: expect.any(String) },
  ]);
});

test('our adapter finds the events of a category, in the order of volume or of their ends', async () => {
  expect(await listed({ category: 'sports' })).toEqual([cup]);
  expect(await listed({ category: 'economy' })).toEqual([cut]);
  expect(await listed({ category: 'culture' })).toEqual([]);
  expect(await listed({ sort: 'volume' })).toEqual([cut, cup, treaty]);
  expect(await listed({ sort: 'closing' })).toEqual([treaty, cut, cup]);
  expect(await listed({ status: 'closed' })).toEqual([]);
});

test('our adapter leaves an event out of those that close next once its end has passed', async () => {
  const before = time;
  time = Date.parse('2031-03-18T12:00:00Z');
  expect(await listed({ sort: 'closing' })).toEqual([cut, cup]);
  time = before;
});

test('our adapter reads the past prices of a long time at steps of twelve hours, from the start of the market', async () => {
  const span = { from: '2025-12-01T00:00:00Z', to: '2026-11-26T12:00:00Z' };
  const prices = await source.readPrices({ eventId: cut, marketId: '910101', ...span });
  expect(prices?.[0]).toEqual({ at: '2026-01-05T15:00:00.000Z', yesPrice: 0.42 });
  expect(prices?.at(-1)?.at).toBe('2026-11-26T03:00:00.000Z');
  expect(prices).toHaveLength(650);
});

test('a closed market is left out of what a search finds, unless it is asked for', async () => {
  venues.control.movePolymarket('910203', { status: 'resolved', price: 0 });
  const found = async (query: string) => {
    const { events } = await read(`${venues.gammaUrl}/public-search?q=rugby${query}`);
    return events[0].markets.map(({ id }: { id: string }) => id);
  };
  expect(await found('')).toEqual(['910201', '910202']);
  expect(await found('&keep_closed_markets=1')).toEqual(['910201', '910202', '910203']);
});

test('a market is closed when a price is proposed, and resolved only after the dispute', async () => {
  const { markets } = await read(`${venues.gammaUrl}/events/910003`);
  const url = `${venues.dataUrl}/v2/resolutions?condition=${markets[0].conditionId}`;
  for (const status of ['proposed', 'disputed', 'reproposed', 'resolved'] as const) {
    venues.control.movePolymarket('910301', { status, price: 1 });
    const { data } = await read(url);
    const price = status === 'resolved' ? '1000000000000000000' : '69';
    expect(data).toEqual([expect.objectContaining({ status, price, was_disputed: status !== 'proposed' })]);
    expect(await read(`${venues.gammaUrl}/events/910003`)).toHaveProperty('closed', true);
  }
});

test('an unknown condition has no rows', async () => {
  expect(await read(`${venues.dataUrl}/v2/resolutions?condition=0x1`)).toEqual({ data: [] });
});

test('the prices of both sides add up to one', async () => {
  const times = 'startTs=0&endTs=3600&fidelity=60';
  const yes = await read(`${venues.clobUrl}/prices-history?market=9101011&${times}`);
  const no = await read(`${venues.clobUrl}/prices-history?market=9101012&${times}`);
  expect(yes.history).toHaveLength(2);
  expect(yes.history[0].p + no.history[0].p).toBeCloseTo(1);
});

test('a throttled request has a Retry-After', async () => {
  venues.control.setFault('polymarket', 'throttle', 1_000);
  const response = await fetch(`${venues.gammaUrl}/events`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
  time += 1_000;
  expect(await read(`${venues.gammaUrl}/events`)).toHaveLength(3);
});
