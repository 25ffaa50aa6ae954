import { afterAll, expect, test } from '@jest/globals';
import { startVenues } from '../../../simulator/venues/start-venues.js';

let time = Date.parse('2026-11-26T12:00:00Z');
const venues = await startVenues({ now: () => time });
afterAll(() => venues.close());

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
