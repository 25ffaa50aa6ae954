import { describe, expect, test } from '@jest/globals';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { eventQuery } from '../event-query.js';
import { type FakeAnswer, sendJson, useFakeGamma } from './fake-gamma.js';
import { gammaEvent } from './gamma-fixtures.js';

const gamma = useFakeGamma();

describe('the list of a category', () => {
  test('merges the lists of its tags by volume, each event once', async () => {
    const byTag: Readonly<Record<string, unknown[]>> = {
      politics: [gammaEvent({ id: '1', volume: 9 }), gammaEvent({ id: '2', volume: 5 })],
      elections: [gammaEvent({ id: '3', volume: 7 }), gammaEvent({ id: '2', volume: 5 })],
    };
    const search = await searchOf(({ url }, response) =>
      sendJson(response, { events: byTag[url.searchParams.get('tag_slug') ?? ''] ?? [] }),
    );
    expect(await search({ category: 'politics' })).toEqual(['1', '3', '2']);
  });
});

describe('the events that close next', () => {
  test('are asked for from now on, and come in the order of their ends', async () => {
    const search = await searchOf((_, response) =>
      sendJson(response, {
        events: [
          gammaEvent({ id: '1', endDate: '2031-01-02T00:00:00Z', volume: 1 }),
          gammaEvent({ id: '2', endDate: '2031-01-03T00:00:00Z', volume: 9 }),
        ],
      }),
    );
    expect(await search({ sort: 'closing' })).toEqual(['1', '2']);
    expect(gamma.requests).toEqual([
      '/events/keyset?order=endDate&ascending=true&end_date_min=2026-07-01T00%3A00%3A00.000Z&closed=false&limit=20',
    ]);
  });
});

describe('a text search', () => {
  const events = [
    gammaEvent({ id: '1', volume: 1, tags: [{ label: 'Weather', slug: 'weather' }] }),
    gammaEvent({ id: '2', volume: 9, tags: [{ label: 'Sports', slug: 'sports' }] }),
    gammaEvent({ id: '3', volume: 5, tags: [{ label: 'Weather', slug: 'weather' }] }),
  ];

  test('of a category finds only events with one of its tags', async () => {
    const search = await searchOf((_, response) => sendJson(response, { events }));
    expect(await search({ search: 'rain', category: 'weather' })).toEqual(['1', '3']);
  });

  test('by volume sorts the best matches', async () => {
    const search = await searchOf((_, response) => sendJson(response, { events }));
    expect(await search({ search: 'rain', sort: 'volume', skip: 1 })).toEqual(['3', '1']);
  });
});

async function searchOf(answer: FakeAnswer) {
  const baseUrl = await gamma.start(answer);
  const now = () => new Date('2026-07-01T00:00:00Z');
  const source = createGammaEventSource({ fetch, timeoutMs: 1_000, baseUrl, now });
  return async (more: Parameters<typeof eventQuery>[0]) =>
    (await source.search(eventQuery(more))).events.map(({ eventId }) => eventId);
}
