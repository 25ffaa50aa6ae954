import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { RunFailureCode } from '../../../council/report.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { refundPurchase } from '../../../db/purchases/refunds.js';
import { countRunsLeft } from '../../../db/purchases/started-runs.js';
import { putKey } from '../support/account-steps.js';
import { bought, buy, complete, isSold, refund, sell } from '../support/purchases.js';
import { countRows, inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const run = (accountId: string, now = noon) => sell(world, { accountId }, { now });

const tryRun = async (accountId: string, now = noon) =>
  buy(world.db, { accountId, eventId: await world.openEvent() }, { now });

describe('five runs per hour', () => {
  test('of twelve concurrent runs five start and are charged, and other accounts keep theirs', async () => {
    const accountId = await world.openAccount(5_000);
    const outcomes = await inParallel(12, () => tryRun(accountId));
    expect(outcomes.filter(isSold)).toHaveLength(5);
    expect(await countRunsLeft(world.db, accountId, noon)).toMatchObject({ left: 0 });
    const other = await world.openAccount();
    expect(await countRunsLeft(world.db, other, noon)).toEqual({ left: 5, secondsToNext: 0 });
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

  test('five refunded runs do not count, further ones do, and the oldest of those leave first', async () => {
    const accountId = await world.openAccount(5_000);
    const failAt = async (minutes: number) => refund(world.db, await run(accountId, later({ minutes })));
    for (const minutes of [0, 5, 10, 15, 20]) await failAt(minutes);
    const at = (now: Date) => countRunsLeft(world.db, accountId, now);
    expect(await at(later({ minutes: 20 }))).toEqual({ left: 5, secondsToNext: 0 });
    await failAt(25);
    expect(await at(later({ minutes: 25 }))).toEqual({ left: 4, secondsToNext: 0 });
    for (const minutes of [30, 35, 40]) await failAt(minutes);
    await run(accountId, later({ minutes: 45 }));
    expect(await at(later({ minutes: 45 }))).toEqual({ left: 0, secondsToNext: 15 * 60 });
    expect(await tryRun(accountId, later({ hours: 1, ms: -1 }))).toMatchObject({
      refused: 'run_limit_exceeded',
      retryAfterSeconds: 1,
    });
    expect(await at(later({ hours: 1 }))).toEqual({ left: 1, secondsToNext: 0 });
    expect(await tryRun(accountId, later({ hours: 1 }))).toMatchObject({ kind: 'fresh' });
    expect(await at(later({ hours: 1 }))).toEqual({ left: 0, secondsToNext: 5 * 60 });
  });

  test('a sixth to tenth failing run counts, so that a loop of failures ends after ten', async () => {
    const accountId = await world.openAccount(5_000);
    let started = 0;
    for (; started < 20; started++) {
      const eventId = await world.openEvent();
      const purchaseId = randomUUID();
      if (!isSold(await buy(world.db, { accountId, eventId, purchaseId }))) break;
      await refund(world.db, { accountId, purchaseId });
    }
    expect(started).toBe(10);
  });

  test('cached, owned and refunded reports do not count, and the first two are sold beyond the limit', async () => {
    const other = await world.openAccount(5_000);
    const cached = await run(other);
    await complete(world.db, cached.reportId);
    const accountId = await world.openAccount(5_000);
    const { eventId } = cached;
    expect(await bought(world.db, { accountId, eventId })).toMatchObject({ kind: 'cached' });
    expect(await countRunsLeft(world.db, accountId, noon)).toMatchObject({ left: 5 });
    const [own, ...others] = await inParallel(5, () => run(accountId));
    expect(await bought(world.db, { accountId, eventId: own?.eventId ?? '' })).toMatchObject({
      kind: 'owned',
    });
    expect(await tryRun(accountId)).toMatchObject({ refused: 'run_limit_exceeded' });
    // A refunded run frees its slot.
    for (const each of others.slice(0, 2)) await refund(world.db, each);
    expect(await countRunsLeft(world.db, accountId, noon)).toMatchObject({ left: 2 });
  });
});

describe('an event whose runs fail', () => {
  interface Failure {
    readonly at: Date;
    readonly failure?: RunFailureCode;
    readonly simulated?: boolean;
  }

  async function fail(eventId: string, { at, failure = 'quorum_lost', simulated = true }: Failure) {
    const { accountId, purchaseId } = await sell(world, { eventId }, { now: at, simulated });
    await refundPurchase(world.db, { purchaseId, accountId, failure, now: at });
  }

  async function failTwice(failures: readonly [Failure, Failure]): Promise<string> {
    const eventId = await world.openEvent();
    for (const failure of failures) await fail(eventId, failure);
    return eventId;
  }

  const buyAt = async (eventId: string, now: Date) =>
    buy(world.db, { accountId: await world.openAccount(1_000), eventId }, { now });

  test('twice within 15 minutes rests for 15 minutes, for all accounts, and nothing is written', async () => {
    const second = later({ minutes: 15 });
    const eventId = await failTwice([{ at: noon }, { at: second }]);
    const accountId = await world.openAccount(1_000);
    const before = await countRows(world);
    for (const [now, retryAfterSeconds] of [
      [second, 15 * 60],
      [later({ minutes: 15, ms: -1 }, second), 1],
    ] as const) {
      const answer = await buy(world.db, { accountId, eventId }, { now });
      expect(answer).toMatchObject({ refused: 'unavailable', retryAfterSeconds });
    }
    expect(await countRows(world)).toEqual(before);
    expect(await buyAt(eventId, later({ minutes: 15 }, second))).toMatchObject({ kind: 'fresh' });
  });

  test('once, or twice more than 15 minutes apart, does not rest', async () => {
    const once = await world.openEvent();
    await fail(once, { at: noon });
    expect(await buyAt(once, noon)).toMatchObject({ kind: 'fresh' });
    const second = later({ minutes: 15, ms: 1 });
    const apart = await failTwice([{ at: noon }, { at: second }]);
    expect(await buyAt(apart, second)).toMatchObject({ kind: 'fresh' });
  });

  test('a failure after the rest begins another rest only together with a second one', async () => {
    const eventId = await failTwice([{ at: noon }, { at: noon }]);
    const awake = later({ minutes: 16 });
    await fail(eventId, { at: awake });
    expect(await buyAt(eventId, awake)).toMatchObject({ kind: 'fresh' });
    await fail(eventId, { at: later({ minutes: 20 }) });
    expect(await buyAt(eventId, later({ minutes: 20 }))).toMatchObject({ retryAfterSeconds: 15 * 60 });
  });

  test('neither other events rest, nor live runs because of simulated ones', async () => {
    const eventId = await failTwice([{ at: noon }, { at: noon }]);
    expect(await buyAt(await world.openEvent(), noon)).toMatchObject({ kind: 'fresh' });
    const accountId = await world.openAccount(1_000);
    expect(await buy(world.db, { accountId, eventId }, { simulated: false })).toMatchObject({
      kind: 'fresh',
    });
  });

  test.each<RunFailureCode>(['cancelled', 'abandoned'])(
    'does not rest after runs that ended as %s, because those say nothing about the event',
    async failure => {
      const eventId = await failTwice([
        { at: noon, failure },
        { at: noon, failure },
      ]);
      expect(await buyAt(eventId, noon)).toMatchObject({ kind: 'fresh' });
    },
  );

  test('does not rest after runs with the callers’ own provider keys, which may fail on purpose', async () => {
    const eventId = await world.openEvent();
    for (const _ of ['first', 'second']) {
      const accountId = await world.openAccount(1_000);
      await putKey(world, accountId);
      await refund(world.db, await sell(world, { accountId, eventId, lane: 'byok' }));
    }
    expect(await buyAt(eventId, noon)).toMatchObject({ kind: 'fresh' });
  });

  test('still sells an owned and a cached report while it rests', async () => {
    const { accountId, eventId, reportId } = await sell(world);
    for (const at of [noon, noon]) await fail(eventId, { at });
    expect(await buyAt(eventId, noon)).toMatchObject({ refused: 'unavailable' });
    expect(await bought(world.db, { accountId, eventId })).toMatchObject({ kind: 'owned', reportId });
    await complete(world.db, reportId);
    expect(await buyAt(eventId, noon)).toMatchObject({ kind: 'cached', reportId });
  });
});
