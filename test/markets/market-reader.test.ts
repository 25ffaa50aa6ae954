import { describe, expect, test } from '@jest/globals';
import type { MarketEvent, Venue } from '../../council/event.js';
import type { EventQuery } from '../../council/market/event-choice.js';
import { MarketUnavailable } from '../../markets/event-source.js';
import { createMarketReader } from '../../markets/market-reader.js';
import { live, type VenueReader } from '../../markets/venue-reader.js';
import { event, market } from '../council/fixtures.js';
import { eventQuery } from './event-query.js';

describe('a search of several venues', () => {
  test('lets the venues take turns, each in its own order, and pages without gap or overlap', async () => {
    const reader = readerOf({ polymarket: holding('p', 5), kalshi: holding('k', 5) });
    const pages = await Promise.all(
      [0, 3, 6, 9].map(skip => reader.search(eventQuery({ skip, limit: 3 }), null)),
    );
    expect(pages.flatMap(idsOf)).toEqual(['p0', 'k0', 'p1', 'k1', 'p2', 'k2', 'p3', 'k3', 'p4', 'k4']);
    expect(pages[0]?.value).toMatchObject({ total: 10, unavailable: [] });
  });

  test('names a venue that is away, and answers with the events of the other', async () => {
    const reader = readerOf({ polymarket: away(7), kalshi: holding('k', 2) });
    const found = await reader.search(eventQuery(), null);
    expect(idsOf(found)).toEqual(['k0', 'k1']);
    expect(found.value).toMatchObject({ total: null, unavailable: ['polymarket'] });
  });

  test('is refused if no venue answers, until the first of them is back', async () => {
    const reader = readerOf({ polymarket: away(7), kalshi: away(3) });
    const refused = reader.search(eventQuery(), null);
    await expect(refused).rejects.toThrow(MarketUnavailable);
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 3 });
  });

  test('of one venue asks no other', async () => {
    const reader = readerOf({ polymarket: away(7), kalshi: holding('k', 2) });
    const found = await reader.search(eventQuery({ skip: 1 }), 'kalshi');
    expect(idsOf(found)).toEqual(['k1']);
    expect(found.value).toMatchObject({ total: 2, unavailable: [] });
  });

  test('does not hide a fault of the service as a venue that is away', async () => {
    const broken = { ...holding('p', 1), search: () => Promise.reject(new TypeError('a fault')) };
    const reader = readerOf({ polymarket: broken, kalshi: holding('k', 1) });
    await expect(reader.search(eventQuery(), null)).rejects.toThrow(TypeError);
  });
});

test('an event is read at the venue that its id names, whatever the other does', async () => {
  const reader = readerOf({ polymarket: away(7), kalshi: holding('kalshi:K', 1) });
  expect((await reader.read('kalshi:k0'))?.eventId).toBe('kalshi:K0');
  await expect(reader.read('polymarket:k0')).rejects.toThrow(MarketUnavailable);
  await expect(reader.read('k0')).rejects.toThrow(MarketUnavailable);
  expect(await reader.read('sample:k0')).toBeNull();
});

function readerOf(venues: Partial<Record<Venue, VenueReader>>) {
  const { polymarket, kalshi } = venues;
  return createMarketReader(
    new Map<Venue, VenueReader>([
      ...(polymarket === undefined ? [] : [['polymarket', polymarket] as const]),
      ...(kalshi === undefined ? [] : [['kalshi', kalshi] as const]),
    ]),
  );
}

/** A venue with this many events, whose ids are the prefix and a number. */
function holding(prefix: string, count: number): VenueReader {
  const events = Array.from({ length: count }, (_, index) =>
    event([market({ name: 'Rain' })], { eventId: `${prefix}${index}` }),
  );
  const get = async (name: string): Promise<MarketEvent | null> =>
    events.find(({ eventId }) => eventId === name) ?? null;
  return {
    search: async ({ skip, limit }: EventQuery) =>
      live({ events: events.slice(skip, skip + limit), total: events.length }),
    find: async name => live(await get(name)),
    read: get,
    readPrices: async () => live(null),
  };
}

function away(retryAfterSeconds: number): VenueReader {
  const refuse = () => Promise.reject(new MarketUnavailable('away', retryAfterSeconds));
  return { search: refuse, find: refuse, read: refuse, readPrices: refuse };
}

const idsOf = ({ value }: { value: { events: readonly MarketEvent[] } }) =>
  value.events.map(({ eventId }) => eventId);
