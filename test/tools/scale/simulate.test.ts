import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../council/random.js';
import { exponential, type System, simulate } from '../../../tools/scale/simulate.js';

const serviceMs = 10;

/** One server, or some, with one queue. */
const server = (ms: (random: () => number) => number, places = 1): System => ({
  stations: { server: places },
  steps: [
    { step: 'take', station: 'server' },
    { step: 'spend', ms },
    { step: 'give', station: 'server' },
  ],
});

const run = (system: System, arrivals: Parameters<typeof simulate>[1], jobs = 200_000, seed = 'test') =>
  simulate(system, arrivals, jobs, seededRandom(seed));

/** Within so many percent. */
const expectNear = (value: number, expected: number, percent: number) =>
  expect(Math.abs(value / expected - 1) * 100).toBeLessThan(percent);

describe('one server with a queue', () => {
  test.each([0.3, 0.6, 0.8])('waits as M/M/1 does at a load of %d', load => {
    const { meanMs, taken } = run(server(exponential(serviceMs)), { perSecond: (1_000 * load) / serviceMs });
    expectNear(meanMs, serviceMs / (1 - load), 5);
    expectNear(taken['server'] ?? 0, load, 2);
  });

  test.each([0.3, 0.6, 0.8])('waits as M/D/1 does at a load of %d', load => {
    const { meanQueueMs } = run(
      server(() => serviceMs),
      { perSecond: (1_000 * load) / serviceMs },
    );
    expectNear(meanQueueMs, (load * serviceMs) / (2 * (1 - load)), 5);
  });

  test('serves as many as it can, and no more, when more arrive', () => {
    const { perSecond, inside } = run(
      server(() => serviceMs),
      { perSecond: 200 },
      2_000,
    );
    expectNear(perSecond, 100, 0.1);
    expect(inside).toBeGreaterThan(1_500);
  });
});

describe('two servers with one queue', () => {
  test('wait as M/M/2 does', () => {
    const load = 0.7;
    const { meanMs } = run(server(exponential(serviceMs), 2), { perSecond: (2 * 1_000 * load) / serviceMs });
    expectNear(meanMs, serviceMs / (1 - load ** 2), 5);
  });
});

describe('any system', () => {
  const system: System = {
    stations: { core: 2, lock: 1 },
    steps: [
      { step: 'take', station: 'core' },
      { step: 'spend', ms: exponential(3) },
      { step: 'give', station: 'core' },
      { step: 'take', station: 'lock' },
      { step: 'spend', ms: exponential(5) },
      { step: 'give', station: 'lock' },
    ],
  };

  test('loses no job and invents none', () => {
    const { started, ended, inside, meanQueueMs } = run(system, { perSecond: 150 }, 5_000);
    expect(ended).toBe(5_000);
    expect(started).toBe(ended + inside);
    expect(meanQueueMs).toBeGreaterThanOrEqual(0);
    expect(run(system, { atOnce: 7 }, 5_000).inside).toBeLessThanOrEqual(7);
  });

  test('holds as many jobs as arrive in the time that one takes', () => {
    const { meanInside, meanMs } = run(system, { perSecond: 150 });
    expectNear(meanInside, (150 * meanMs) / 1_000, 3);
  });

  test('ends one job after the other when one is inside, and is bounded by its slowest station', () => {
    const fixed: System = {
      ...system,
      steps: system.steps.map(step =>
        step.step === 'spend' ? { step: 'spend', ms: () => serviceMs } : step,
      ),
    };
    expectNear(run(fixed, { atOnce: 1 }, 1_000).perSecond, 1_000 / (2 * serviceMs), 0.1);
    expectNear(run(fixed, { atOnce: 16 }, 1_000).perSecond, 1_000 / serviceMs, 0.1);
  });

  test('gives the same bytes for the same seed, and others for another', () => {
    const bytes = (seed: string) => JSON.stringify(run(system, { perSecond: 150 }, 2_000, seed));
    expect(bytes('a')).toBe(bytes('a'));
    expect(bytes('a')).not.toBe(bytes('b'));
  });

  test('says so when a place is never given back', () => {
    const stuck: System = { stations: { lock: 1 }, steps: [{ step: 'take', station: 'lock' }] };
    expect(() => run(stuck, { atOnce: 2 }, 10)).toThrow('never given back');
  });
});
