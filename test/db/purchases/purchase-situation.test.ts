import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { countRunsLeft } from '../../../db/purchases/purchase-situation.js';
import { bought, buy, complete, refund } from '../support/purchases.js';
import { countRows, inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const run = async (accountId: string, now = noon) => {
  const purchase = { accountId, eventId: await world.openEvent(), purchaseId: randomUUID() };
  return { ...purchase, ...(await bought(world.db, purchase, { now })) };
};

const tryRun = async (accountId: string, now = noon) =>
  buy(world.db, { accountId, eventId: await world.openEvent() }, { now });

describe('five runs per hour', () => {
  test('of twelve concurrent runs five start and are charged', async () => {
    const accountId = await world.openAccount(5_000);
    const outcomes = await inParallel(12, () => tryRun(accountId));
    expect(outcomes.filter(outcome => outcome !== 'fresh_needed' && 'kind' in outcome)).toHaveLength(5);
    expect(await balanceCredits(world.db, accountId, 'purchased')).toBe(5_000 - 5 * 120);
  });

  test('the sixth is refused with the seconds until the oldest leaves the window, and writes no row', async () => {
    const accountId = await world.openAccount(5_000);
    for (const minutes of [0, 10, 20, 30, 40]) await run(accountId, later({ minutes }));
    const eventId = await world.openEvent();
    const before = await countRows(world);
    const at = (now: Date) => buy(world.db, { accountId, eventId }, { now });
    expect(await at(later({ minutes: 45 }))).toMatchObject({
      refused: 'run_limit_exceeded',
      retryAfterSeconds: 15 * 60,
    });
    expect(await at(later({ hours: 1, ms: -1 }))).toMatchObject({
      refused: 'run_limit_exceeded',
      retryAfterSeconds: 1,
    });
    expect(await countRows(world)).toEqual(before);
  });

  test('the window slides: a run frees its slot after an hour', async () => {
    const accountId = await world.openAccount(5_000);
    for (const minutes of [0, 10, 20, 30, 40]) await run(accountId, later({ minutes }));
    const hour = later({ hours: 1 });
    expect(await countRunsLeft(world.db, accountId, hour)).toEqual({ left: 1, secondsToNext: 0 });
    await run(accountId, hour);
    expect(await tryRun(accountId, hour)).toMatchObject({ retryAfterSeconds: 10 * 60 });
    expect(await countRunsLeft(world.db, accountId, later({ minutes: 100 }))).toEqual({
      left: 4,
      secondsToNext: 0,
    });
  });

  test('a refunded run frees its slot', async () => {
    const accountId = await world.openAccount(5_000);
    const runs = await inParallel(5, () => run(accountId));
    expect(await countRunsLeft(world.db, accountId, noon)).toMatchObject({ left: 0 });
    for (const each of runs.slice(0, 2)) await refund(world.db, each);
    expect(await countRunsLeft(world.db, accountId, noon)).toMatchObject({ left: 2 });
  });

  test('cached and owned reports do not count and are sold beyond the limit', async () => {
    const other = await world.openAccount(5_000);
    const cached = await run(other);
    await complete(world.db, cached.reportId);
    const accountId = await world.openAccount(5_000);
    const { eventId } = cached;
    expect(await bought(world.db, { accountId, eventId })).toMatchObject({ kind: 'cached' });
    expect(await countRunsLeft(world.db, accountId, noon)).toMatchObject({ left: 5 });
    const [own] = await inParallel(5, () => run(accountId));
    expect(await bought(world.db, { accountId, eventId: own?.eventId ?? '' })).toMatchObject({
      kind: 'owned',
    });
    expect(await tryRun(accountId)).toMatchObject({ refused: 'run_limit_exceeded' });
  });

  test('an account at its limit does not block other accounts', async () => {
    const accountId = await world.openAccount(5_000);
    await inParallel(5, () => run(accountId));
    expect(await countRunsLeft(world.db, await world.openAccount(), noon)).toEqual({
      left: 5,
      secondsToNext: 0,
    });
  });
});
