import { describe, expect, test } from '@jest/globals';
import type { Market, MarketEvent } from '../../../council/event.js';
import { parseGammaEvent } from '../../../markets/polymarket/parse-gamma-event.js';
import { createSampleEventSource, sampleEvents } from '../../../markets/sample/sample-event-source.js';
import { resolvedSamples } from '../../../simulator/events/resolved-samples.js';
import { eventQuery } from '../event-query.js';

const source = createSampleEventSource();
/** The resolved events as they ended, and as they traded before, by id. */
const pasts = new Map(
  resolvedSamples.map(({ ended, moments }) => {
    const end = parsed(ended);
    const before = moments.map(({ at, event }) => ({ at, event: parsed(event) }));
    return [end.eventId, { end, before }] as const;
  }),
);
const all = eventQuery({ limit: 1000, status: 'all' });

describe('the sample events', () => {
  test('are all accepted by the parser and marked as samples', async () => {
    const { events, total } = await source.search(all);
    expect(events).toHaveLength(sampleEvents.length);
    expect(total).toBe(sampleEvents.length);
    expect(sampleEvents.length).toBeGreaterThanOrEqual(14);
    for (const event of events) {
      expect(event).toMatchObject({ source: 'sample', url: null });
      expect(event.eventId).toMatch(/^sample-[a-z0-9-]+$/);
      expect(event.description).toContain('This is a sample event');
      expect(event.category).not.toBeNull();
    }
  });

  test('have unique event and market ids', async () => {
    const { events } = await source.search(all);
    const ids = events.flatMap(event => [event.eventId, ...event.markets.map(market => market.marketId)]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('close in the future while they are open', async () => {
    const { events } = await source.search({ ...all, status: 'open' });
    for (const event of events) expect(Number(event.closesAt?.slice(0, 4))).toBeGreaterThanOrEqual(2031);
  });

  test('opened in the past, one market of some on another day, and a resolved one before its first forecast', async () => {
    const { events } = await source.search(all);
    for (const { openedAt = '', closesAt } of events) {
      expect(Date.parse(openedAt)).toBeLessThan(Date.now());
      expect(Date.parse(openedAt)).toBeLessThan(Date.parse(closesAt ?? ''));
    }
    const added = events.filter(
      ({ exclusive, openedAt, markets }) =>
        !exclusive && markets.some(market => market.openedAt !== openedAt),
    );
    expect(added.length).toBeGreaterThan(0);
    for (const { end, before } of pasts.values()) {
      for (const { at, event } of before) {
        expect(event.openedAt).toBe(end.openedAt);
        const days = (Date.parse(at) - Date.parse(event.openedAt ?? '')) / 86_400_000;
        expect(days).toBeGreaterThanOrEqual(10);
        expect(days).toBeLessThan(150);
      }
    }
  });

  test('with one winner have prices that add up to about 1; the ladder’s do not', async () => {
    const { events } = await source.search({ ...all, status: 'open' });
    const exclusive = events.filter(event => event.exclusive);
    expect(exclusive.map(event => event.markets.length).sort((a, b) => a - b)).toEqual([3, 5, 7, 8, 45]);
    for (const event of exclusive) {
      const sum = midSum(event);
      expect(sum).toBeGreaterThan(0.95);
      expect(sum).toBeLessThan(1.05);
    }
    expect(midSum(await get('sample-oil-ladder-2031'))).toBeGreaterThan(2);
  });

  test('include every special case of a market', async () => {
    expect(await only('sample-warm-superconductor-2032')).toMatchObject({
      bestBid: null,
      bestAsk: null,
      lastTrade: null,
      takerFee: { rate: 0, exponent: 1 },
    });
    expect(await only('sample-great-quake-2031')).toMatchObject({ bestBid: 0.06, bestAsk: 0.31 });
    expect((await only('sample-harbour-cup-final-2031')).sides).toEqual([
      'Northport Mariners',
      'Calder City Foxes',
    ]);
    const mayor = await get('sample-calder-mayor-2031');
    expect(mayor.markets.filter(market => market.placeholder).map(market => market.name)).toEqual([
      'Person A',
      'Person B',
      'Person C',
    ]);
    const chess = await get('sample-chess-knockout-2031');
    expect(chess.status).toBe('open');
    expect(chess.markets.filter(market => market.resolution === 'no')).toHaveLength(2);
  });

  test('include every resolution among the closed ones', async () => {
    const { events } = await source.search({ ...all, status: 'closed' });
    const withoutPast = events.filter(({ eventId }) => !pasts.has(eventId));
    const ends = withoutPast.map(event => [
      event.eventId,
      event.markets.map(market => market.resolution).join(' '),
    ]);
    expect(Object.fromEntries(ends)).toEqual({
      'sample-bridge-opening-2025': 'yes',
      'sample-budget-vote-2025': 'no',
      'sample-sailing-trophy-2025': 'no yes no no',
      'sample-abandoned-final-2025': 'fifty_fifty',
      'sample-cancelled-census-2024': 'void',
      'sample-disputed-record-2025': 'disputed',
    });
  });
});

describe('the resolved sample events', () => {
  test('are many, of every shape, several with two moments, and end in every way that can be graded or not', () => {
    const all = [...pasts.values()];
    expect(all.length).toBeGreaterThanOrEqual(120);
    expect(all.filter(({ before }) => before.length === 2).length).toBeGreaterThanOrEqual(20);
    const shapes = all.map(({ end }) => `${end.exclusive} ${Math.min(end.markets.length, 7)}`);
    expect([...new Set(shapes)].sort()).toEqual(
      ['false 1', 'false 4', 'false 5', 'true 3', 'true 4', 'true 5', 'true 6', 'true 7'].sort(),
    );
    const ends = all.flatMap(({ end }) => end.markets.map(({ resolution }) => resolution));
    expect(new Set(ends)).toEqual(new Set(['yes', 'no', 'void', 'fifty_fifty']));
  });

  test('trade before their end, show their outcome only after it, and say what they are', () => {
    for (const { end, before } of pasts.values()) {
      const ids = end.markets.map(({ marketId }) => marketId);
      expect(end.status).toBe('closed');
      expect(end.description).toContain('It belongs to the sample record');
      for (const { at, event } of before) {
        expect(Date.parse(at)).toBeLessThan(Date.parse(end.closesAt ?? ''));
        expect(event).toMatchObject({ status: 'open', description: end.description, title: end.title });
        expect(event.markets.map(({ marketId }) => marketId)).toEqual(ids);
        expect(event.markets.every(({ resolution }) => resolution === 'unresolved')).toBe(true);
        if (end.exclusive) expect(Math.abs(midSum(event) - 1)).toBeLessThanOrEqual(0.1);
      }
      const winners = end.markets.filter(({ resolution }) => resolution === 'yes').length;
      if (end.exclusive) expect([end.eventId, winners]).toEqual([end.eventId, 1]);
    }
  });

  test('have ladders in which a higher rung is never more probable, nor reached without every lower one', () => {
    const ladders = [...pasts.values()].filter(({ end }) => end.eventId.includes('ladder'));
    expect(ladders.length).toBeGreaterThan(0);
    for (const { end, before } of ladders) {
      expect(end.markets.map(({ resolution }) => resolution).join(' ')).toMatch(/^(yes ?)*(no ?)*$/);
      for (const { event } of before) {
        const bids = event.markets.map(({ bestBid }) => bestBid ?? 0);
        expect(bids).toEqual([...bids].sort((a, b) => b - a));
      }
    }
  });
});

describe('a search among them', () => {
  test('finds events with all words in title, rules or market names, ignoring case', async () => {
    expect(await idsOf('FEDERAL reserve')).toEqual(['sample-fed-cut-2031']);
    expect(await idsOf('corvania')).toEqual(['sample-song-contest-2031']);
    expect(await idsOf('corvania reserve')).toEqual([]);
  });

  test('returns pages with the most traded first, and the total', async () => {
    const whole = (await source.search({ ...all, status: 'open' })).events;
    expect(whole.map(event => event.volume)).toEqual(whole.map(event => event.volume).sort((a, b) => b - a));
    const second = await source.search(eventQuery({ skip: 4, limit: 4 }));
    expect(second.events).toEqual(whole.slice(4, 8));
    expect(second.total).toBe(whole.length);
    expect((await source.search(eventQuery({ skip: 392, limit: 4 }))).events).toEqual([]);
  });

  test('filters by status', async () => {
    const open = await source.search({ ...all, status: 'open' });
    const closed = await source.search({ ...all, status: 'closed' });
    expect(open.events.every(event => event.status === 'open')).toBe(true);
    expect((open.total ?? 0) + (closed.total ?? 0)).toBe(sampleEvents.length);
  });
});

test('an unknown sample event is null', async () => {
  expect(await source.get('sample-nothing')).toBeNull();
});

function parsed(raw: unknown): MarketEvent {
  const event = parseGammaEvent(raw, 'sample');
  if (event === null) throw new Error('not an event');
  return event;
}

async function idsOf(search: string): Promise<string[]> {
  return (await source.search({ ...all, search, status: 'open' })).events.map(event => event.eventId);
}

async function get(eventId: string): Promise<MarketEvent> {
  const event = await source.get(eventId);
  if (event === null) throw new Error(`${eventId} is missing`);
  return event;
}

async function only(eventId: string): Promise<Market> {
  const [market] = (await get(eventId)).markets;
  if (market === undefined) throw new Error(`${eventId} has no market`);
  return market;
}

function midSum(event: MarketEvent): number {
  return event.markets.reduce((sum, { bestBid, bestAsk }) => {
    return bestBid === null || bestAsk === null ? sum : sum + (bestBid + bestAsk) / 2;
  }, 0);
}
