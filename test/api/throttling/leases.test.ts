import { describe, expect, test } from '@jest/globals';
import { createLeases } from '../../../api/throttling/leases.js';
import type { SharedCounts } from '../../../db/throttling/shared-counts.js';

/** A window of a minute, counted for all processes, on a clock of the test. */
function sharedWorld() {
  const world = { nowMs: 0, asked: 0 };
  const counted = new Map<string, { points: number; endsAtMs: number }>();
  const counts: Pick<SharedCounts, 'add'> = {
    add: async (key, points, windowSeconds) => {
      world.asked += 1;
      const open = counted.get(key);
      const count =
        open === undefined || open.endsAtMs <= world.nowMs
          ? { points, endsAtMs: world.nowMs + windowSeconds * 1_000 }
          : { ...open, points: open.points + points };
      counted.set(key, count);
      return { points: count.points, msLeft: count.endsAtMs - world.nowMs };
    },
  };
  const newProcess = () =>
    createLeases(
      counts,
      () => world.nowMs,
      key => key,
    );
  return { world, newProcess };
}

describe('a limit that several processes spend', () => {
  test('is never exceeded, and refuses no caller more than one part per process early', async () => {
    const { newProcess } = sharedWorld();
    const processes: readonly any[] = [newProcess(), newProcess(), newProcess()];
    const taken = await Promise.all(
      Array.from({ length: 5_000 }, (_, index) => processes[(index * 7) % 3].take('caller', 1_000)),
    );
    const allowed = taken.filter(each => each.allowed).length;
    expect(allowed).toBeLessThanOrEqual(1_000);
    expect(allowed).toBeGreaterThanOrEqual(1_000 - 2 * 20);
  });

  test('is spent to the last request by one process', async () => {
    const leases = sharedWorld().newProcess();
    const taken = [];
    for (let index = 0; index < 110; index++) taken.push(await leases.take('caller', 103));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(103);
    expect(taken.map(({ remaining }) => remaining).slice(0, 3)).toEqual([102, 101, 100]);
    expect(taken.at(-1)).toEqual({ allowed: false, remaining: 0, secondsLeft: 60 });
  });

  test('is asked for once in a part, and not at all after it is used up', async () => {
    const { world, newProcess } = sharedWorld();
    const leases = newProcess();
    for (let index = 0; index < 3_000; index++) await leases.take('caller', 3_000);
    expect(world.asked).toBeLessThanOrEqual(51);
    const asked = world.asked;
    for (let index = 0; index < 1_000; index++) await leases.take('caller', 3_000);
    expect(world.asked).toBeLessThanOrEqual(asked + 1);
  });

  test('begins again with its window, and what was leased before has ended', async () => {
    const { world, newProcess } = sharedWorld();
    const [one, other] = [newProcess(), newProcess()];
    for (let index = 0; index < 99; index++) await one.take('caller', 100);
    expect((await one.take('caller', 100)).allowed).toBe(true);
    expect((await one.take('caller', 100)).allowed).toBe(false);
    world.nowMs = 60_000;
    let allowed = 0;
    for (let index = 0; index < 120; index++) {
      if ((await (index % 2 === 0 ? one : other).take('caller', 100)).allowed) allowed += 1;
    }
    expect(allowed).toBeLessThanOrEqual(100);
    expect(allowed).toBeGreaterThanOrEqual(98);
  });

  test('of one caller is not that of another', async () => {
    const leases = sharedWorld().newProcess();
    expect((await leases.take('one', 1)).allowed).toBe(true);
    expect((await leases.take('one', 1)).allowed).toBe(false);
    expect((await leases.take('other', 1)).allowed).toBe(true);
  });
});
