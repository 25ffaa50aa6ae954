import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ListedEvent } from '../../../council/market/event-choice.js';
import {
  closeUnlistedEvents,
  type KalshiEventSearch,
  readKalshiFill,
  saveKalshiEvents,
  saveKalshiFill,
  searchKalshiEvents,
} from '../../../db/market/kalshi-events.js';
import { createKalshiIndex } from '../../../markets/kalshi/create-kalshi-index.js';
import { eventQuery } from '../../markets/event-query.js';
import { listedEvent, searchIndex } from '../support/kalshi-search.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const fed = listedEvent('KXFED-26DEC', { title: 'Fed decision in December?', volumeContracts: '500.25' });
const chair = listedEvent('KXCHAIR', {
  title: 'Next chair?',
  subTitle: 'Of the Fed',
  volumeContracts: '9000',
});
const rain = listedEvent('KXRAINNY-26DEC01', {
  title: 'Will it rain in New York?',
  category: 'Climate and Weather',
  volumeContracts: '70.5',
  closesAt: later({ hours: 5 }),
});
const over = listedEvent('KXGAME-1', {
  title: 'Lakers at Celtics',
  category: 'Sports',
  volumeContracts: '40',
  closesAt: later({ hours: -1 }),
});
const closed = listedEvent('KXFED-26SEP', { title: 'Fed decision in September?', status: 'closed' });

beforeEach(async () => {
  await world.sql('truncate kalshi_events, kalshi_fill');
  await saveKalshiEvents(world.db, [fed, chair, rain, over, closed], noon);
});

const find = (query: Partial<KalshiEventSearch>) => searchIndex(world.db, query);
const tickers = (...rows: ListedEvent[]) => rows.map(({ ticker }) => ticker);

describe('a search of the index', () => {
  test('puts a word of the title before one of the second title, whatever their volumes', async () => {
    expect(await find({ search: 'fed' })).toMatchObject({ tickers: tickers(fed, chair), total: 2 });
  });

  test('finds other forms of a word, a ticker and phrases, and leaves out what is excluded', async () => {
    expect((await find({ search: 'decisions' })).tickers).toEqual(tickers(fed));
    expect((await find({ search: 'KXRAINNY' })).tickers).toEqual(tickers(rain));
    expect((await find({ search: 'kxfed-26dec' })).tickers).toEqual(tickers(fed));
    expect((await find({ search: '"new york"' })).tickers).toEqual(tickers(rain));
    expect((await find({ search: 'fed -december' })).tickers).toEqual(tickers(chair));
  });

  test('takes any text', async () => {
    for (const search of ['the', '"', '& | ! ( :*', "'; drop table", '-', 'é漢字', 'x'.repeat(500)])
      expect(await find({ search })).toMatchObject({ tickers: [], total: 0 });
  });

  test('orders equals by volume', async () => {
    await saveKalshiEvents(
      world.db,
      [listedEvent('KXFED-27JAN', { title: 'Fed decision in January?' })],
      noon,
    );
    const found = await find({ search: 'fed decision' });
    expect(found.tickers).toEqual(['KXFED-26DEC', 'KXFED-27JAN']);
  });

  test('orders by volume without a text, and pages do not overlap', async () => {
    expect(await find({ limit: 3 })).toMatchObject({ tickers: tickers(chair, fed, rain), total: 4 });
    expect(await find({ skip: 3, limit: 3 })).toMatchObject({ tickers: tickers(over), total: 4 });
    expect(await find({ skip: 9 })).toMatchObject({ tickers: [], total: 4 });
  });

  test('lists the next to close first, without events whose time is over', async () => {
    expect(await find({ sort: 'closing', limit: 1 })).toMatchObject({ tickers: tickers(rain), total: 3 });
  });

  test('chooses by status', async () => {
    expect((await find({ status: 'closed' })).tickers).toEqual(tickers(closed));
    expect((await find({ status: 'all', search: 'fed' })).total).toBe(3);
  });

  test("chooses by the service's categories", async () => {
    const index = createKalshiIndex(searchKalshiEvents.bind(null, world.db), () => noon);
    expect(await index.search(eventQuery({ category: 'weather' }))).toEqual({
      tickers: tickers(rain),
      total: 1,
    });
  });
});

describe('what the index keeps', () => {
  test('is replaced when the venue lists the event again, and an event named twice is stored once', async () => {
    const renamed = { ...fed, title: 'Rates in December?' };
    await saveKalshiEvents(world.db, [fed, renamed], later({ hours: 1 }));
    expect((await find({ search: 'decision' })).tickers).toEqual([]);
    expect((await find({ search: 'rates' })).tickers).toEqual(tickers(fed));
  });

  test('is closed if a whole pass does not name it', async () => {
    await saveKalshiEvents(world.db, [fed, rain], later({ hours: 1 }));
    expect(await closeUnlistedEvents(world.db, later({ hours: 1 }))).toBe(2);
    expect((await find({})).tickers).toEqual(tickers(fed, rain));
  });

  test('stays open after a pass that named nothing', async () => {
    expect(await closeUnlistedEvents(world.db, later({ hours: 1 }))).toBe(0);
    expect((await find({})).total).toBe(4);
  });

  test('is deleted 90 days after the venue last listed it, if it is closed', async () => {
    await saveKalshiEvents(world.db, [fed], later({ hours: 91 * 24 }));
    await closeUnlistedEvents(world.db, later({ hours: 91 * 24 }));
    expect((await find({ status: 'all' })).tickers).toEqual(tickers(fed));
  });
});

test('the state of the fill is one row, which comes back as it was stored', async () => {
  expect(await readKalshiFill(world.db)).toBeNull();
  const begun = {
    pass: 'whole',
    passStartedAt: noon,
    cursor: 'c1',
    changedSince: null,
    wholePassAt: null,
  } as const;
  const ended = { ...begun, pass: 'changes', cursor: null, changedSince: noon, wholePassAt: noon } as const;
  await saveKalshiFill(world.db, begun);
  expect(await readKalshiFill(world.db)).toEqual(begun);
  await saveKalshiFill(world.db, ended);
  expect(await readKalshiFill(world.db)).toEqual(ended);
});
