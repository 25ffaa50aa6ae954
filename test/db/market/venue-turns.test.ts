import { beforeEach, expect, test } from '@jest/globals';
import { endTurn, pauseVenue, takeTurn } from '../../../db/market/venue-turns.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const rules = { venue: 'kalshi', leaseMs: 6_000, spacingMs: 350 } as const;

const take = (holder: string, ms = 0) => takeTurn(world.db, { ...rules, holder, now: later({ ms }) });
const end = (holder: string, ms = 0) => endTurn(world.db, { ...rules, holder, now: later({ ms }) });

beforeEach(async () => {
  await world.sql('delete from venue_turns');
});

test('of many processes at the same moment, one has the turn', async () => {
  const turns = await Promise.all(Array.from({ length: 20 }, (_, process) => take(`p${process}`)));
  expect(turns.filter(({ state }) => state === 'taken')).toHaveLength(1);
  expect(turns.filter(({ state }) => state === 'busy')).toHaveLength(19);
});

test('the next turn begins the spacing after the end of the one before, and no earlier', async () => {
  await take('one');
  expect(await take('other', 200)).toEqual({ state: 'busy', waitMs: 0 });
  await end('one', 200);
  expect(await take('other', 200)).toEqual({ state: 'busy', waitMs: 350 });
  expect(await take('other', 549)).toEqual({ state: 'busy', waitMs: 1 });
  expect(await take('other', 550)).toEqual({ state: 'taken' });
});

test('a process that died blocks nobody longer than its lease and the spacing', async () => {
  await take('dead');
  expect(await take('other', 6_349)).toMatchObject({ state: 'busy' });
  expect(await take('other', 6_350)).toEqual({ state: 'taken' });
});

test('a turn that ends after its lease ends no other turn', async () => {
  await take('slow');
  await take('other', 6_350);
  await end('slow', 6_400);
  expect(await take('third', 6_900)).toMatchObject({ state: 'busy' });
});

test('in a pause nobody has a turn, and a shorter pause does not shorten it', async () => {
  const pause = (pauseMs: number) => pauseVenue(world.db, { venue: 'kalshi', pauseMs, now: noon });
  await pause(4_000);
  await pause(2_000);
  expect(await take('one', 1_000)).toEqual({ state: 'paused', waitMs: 3_000 });
  expect(await take('one', 4_000)).toEqual({ state: 'taken' });
});

test('the turns of two venues are apart', async () => {
  await take('one');
  const other = { ...rules, venue: 'polymarket', holder: 'two', now: noon } as const;
  expect(await takeTurn(world.db, other)).toEqual({ state: 'taken' });
});

test('without a time, the clock of the database decides', async () => {
  const turn = { ...rules, leaseMs: 60_000 };
  expect(await takeTurn(world.db, { ...turn, holder: 'one' })).toEqual({ state: 'taken' });
  expect(await takeTurn(world.db, { ...turn, holder: 'two' })).toMatchObject({ state: 'busy' });
});
