import { expect, test } from '@jest/globals';
import { countUnreadable } from '../../markets/count-unreadable.js';
import { MarketUnavailable, MarketUnreadable } from '../../markets/event-source.js';
import { createGammaEventSource } from '../../markets/polymarket/gamma-event-source.js';
import { eventQuery } from './event-query.js';

test.each<[string, string, number]>([
  ['an event in another form', '{"bids":[]}', 1],
  ['a page of HTML that says it is JSON', '<html>', 1],
  ['an event that is there', '{"id":"1","title":"Rain?","markets":[]}', 0],
])('%s is counted %j times %i', async (_, body, times) => {
  let counted = 0;
  const source = countUnreadable(
    gamma(async () => json(body)),
    () => counted++,
  );
  await source.get('1').catch(expectUnreadable);
  expect(counted).toBe(times);
});

test('a list in another form is counted, and a venue that is away is not', async () => {
  let counted = 0;
  const odd = countUnreadable(
    gamma(async () => json('{"data":[]}')),
    () => counted++,
  );
  await expect(odd.search(eventQuery())).rejects.toThrow(MarketUnreadable);
  await expect(odd.search(eventQuery({ search: 'rain' }))).resolves.toEqual({ events: [], total: null });
  expect(counted).toBe(1);
  const away = countUnreadable(
    gamma(() => Promise.reject(new Error('refused'))),
    () => counted++,
  );
  await expect(away.get('1')).rejects.toThrow(MarketUnavailable);
  expect(counted).toBe(1);
});

function expectUnreadable(error: unknown): void {
  expect(error).toBeInstanceOf(MarketUnreadable);
}

const json = (body: string) => new Response(body, { headers: { 'content-type': 'application/json' } });

const gamma = (fetch: () => Promise<Response>) =>
  createGammaEventSource({ baseUrl: 'http://gamma.test', fetch, timeoutMs: 1_000 });
