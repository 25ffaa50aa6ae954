import { describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../../council/random.js';
import { sealCost, sealedPerSecondMax, simulateSealing } from '../../../tools/scale/sealing.js';

const cost = { ...sealCost({ rows: 10, ms: 12 }, { rows: 100, ms: 30 }), batchRows: 100, pauseMs: 1_000 };
const run = (perSecond: number) =>
  simulateSealing(cost, { perSecond, seconds: 300 }, seededRandom('sealing'));

describe('the sealer', () => {
  test('has the two times that it was measured with', () => {
    expect(cost.batchMs).toBeCloseTo(10);
    expect(cost.rowMs).toBeCloseTo(0.2);
    expect(sealedPerSecondMax(cost)).toBeCloseTo(100_000 / 30);
  });

  test('lets an entry wait for half a pause while there is little to do', () => {
    const { meanWaitMs, p99WaitMs } = run(10);
    expect(meanWaitMs).toBeGreaterThan(450);
    expect(meanWaitMs).toBeLessThan(600);
    expect(p99WaitMs).toBeLessThan(1_100);
  });

  test('keeps up below the most that it can seal, and falls behind above', () => {
    expect(run(2_500).waiting).toBeLessThan(4_000);
    const behind = run(4_000);
    expect(behind.sealed / 300).toBeCloseTo(sealedPerSecondMax(cost), -2);
    expect(behind.waiting).toBeGreaterThan(100_000);
    expect(behind.arrived).toBe(behind.sealed + behind.waiting);
    expect(behind.busy).toBeGreaterThan(0.99);
  });

  test('gives the same bytes for the same seed', () => {
    expect(JSON.stringify(run(100))).toBe(JSON.stringify(run(100)));
  });
});
