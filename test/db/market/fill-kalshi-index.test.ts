import { beforeEach, describe, expect, test } from '@jest/globals';
import { fillKalshiIndex } from '../../../activities/maintenance/fill-kalshi-index.js';
import type { ListedEvent } from '../../../council/market/event-choice.js';
import { MarketUnavailable, MarketUnreadable } from '../../../markets/event-source.js';
import type { EventListQuery, KalshiEventList } from '../../../markets/kalshi/list-kalshi-events.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { listedEvent, searchIndex } from '../support/kalshi-search.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const quiet = {
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  metrics: createMetrics(),
};

let now = noon;
let asked: EventListQuery[] = [];
/** What the venue lists as open, in pages. */
let pages: (readonly string[])[] = [];
let changed: readonly ListedEvent[] = [];

beforeEach(async () => {
  await world.sql('truncate kalshi_events, kalshi_fill');
  now = noon;
  asked = [];
  changed = [];
});

const fill = async () => {
  const filled = await fillKalshiIndex({
    db: world.db,
    now: () => now,
    ...quiet,
    kalshiEvents: {
      read: async query => {
        asked.push(query);
        if (query.changedSince !== null) return { events: changed, unreadable: 0, cursor: null };
        const page = Number(query.cursor ?? 0);
        const cursor = page + 1 < pages.length ? String(page + 1) : null;
        return { events: (pages[page] ?? []).map(ticker => listedEvent(ticker)), unreadable: 0, cursor };
      },
    },
  });
  now = later({ seconds: 1 }, now);
  return filled;
};

const openTickers = async () => (await searchIndex(world.db, { now })).tickers;

describe('the fill of the index', () => {
  test('reads all open events page by page, each findable once its page was read', async () => {
    pages = [['A'], ['B']];
    expect(await fill()).toEqual({ did: 'whole', events: 1, closed: 0, more: true });
    expect(await openTickers()).toEqual(['A']);
    expect(await fill()).toEqual({ did: 'whole', events: 1, closed: 0, more: false });
    expect(await openTickers()).toEqual(['A', 'B']);
  });

  test('then asks for what changed since a minute before the last pass began', async () => {
    pages = [['A'], ['B']];
    await fill();
    await fill();
    changed = [listedEvent('A', { status: 'closed' }), listedEvent('C')];
    expect(await fill()).toEqual({ did: 'changes', events: 2, closed: 0, more: false });
    expect(asked[2]).toEqual({ cursor: null, changedSince: later({ seconds: -60 }) });
    expect(await openTickers()).toEqual(['B', 'C']);
    await fill();
    expect(asked[3]?.changedSince).toEqual(later({ seconds: 2 - 60 }));
  });

  test('after six hours reads all open events again, and closes those that are not named any more', async () => {
    pages = [['A', 'B']];
    await fill();
    now = later({ hours: 6 });
    pages = [['B'], ['C']];
    expect(await fill()).toMatchObject({ did: 'whole', closed: 0, more: true });
    expect(await openTickers()).toEqual(['A', 'B']);
    expect(await fill()).toMatchObject({ did: 'whole', closed: 1, more: false });
    expect(await openTickers()).toEqual(['B', 'C']);
  });

  test('goes on at the same page after a failure', async () => {
    pages = [['A'], ['B'], ['C']];
    await fill();
    const away = { read: () => Promise.reject(new Error('away')) };
    const failing = fillKalshiIndex({ db: world.db, now: () => now, ...quiet, kalshiEvents: away });
    await expect(failing).rejects.toThrow('away');
    await fill();
    expect(asked.at(-1)?.cursor).toBe('1');
  });

  test('counts a page that cannot be read, and one with an event that cannot, each once', async () => {
    const metrics = createMetrics();
    const counted = async () =>
      (await metrics.marketUnreadable.get()).values.find(({ labels }) => labels.venue === 'kalshi')?.value;
    const read = (kalshiEvents: KalshiEventList) =>
      fillKalshiIndex({ db: world.db, now: () => now, ...quiet, metrics, kalshiEvents });
    const odd = { read: () => Promise.reject(new MarketUnreadable('odd')) };
    await expect(read(odd)).rejects.toThrow(MarketUnreadable);
    expect(await counted()).toBe(1);
    await read({ read: async () => ({ events: [listedEvent('A')], unreadable: 2, cursor: null }) });
    expect(await counted()).toBe(2);
    const away = { read: () => Promise.reject(new MarketUnavailable('away')) };
    await expect(read(away)).rejects.toThrow(MarketUnavailable);
    expect(await counted()).toBe(2);
  });

  test('begins again if a pass takes longer than an hour, because its cursor may have expired', async () => {
    pages = [['A'], ['B']];
    await fill();
    now = later({ hours: 1 });
    await fill();
    expect(asked.at(-1)).toEqual({ cursor: null, changedSince: null });
  });

  test('closes nothing and ends no pass if the venue repeats a cursor', async () => {
    const stuck = {
      read: async () => ({ events: [listedEvent('A')], unreadable: 0, cursor: 'same' }),
    };
    const once = () => fillKalshiIndex({ db: world.db, now: () => now, ...quiet, kalshiEvents: stuck });
    expect(await once()).toMatchObject({ more: true });
    expect(await once()).toMatchObject({ more: false, closed: 0 });
    expect(await once()).toMatchObject({ did: 'whole', more: true });
  });

  test('reads nothing if the service does not sell reports on Kalshi', async () => {
    const nowhere = { db: world.db, now: () => now, ...quiet, kalshiEvents: null };
    expect(await fillKalshiIndex(nowhere)).toMatchObject({ did: 'not_configured', more: false });
  });
});
