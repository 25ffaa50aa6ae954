import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { roundDistribution } from '../../council/round-distribution.js';

const tenths = (percents: readonly number[]) => percents.map(p => Math.round(p * 10));
const shares = fc
  .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
  .filter(list => list.some(share => share > 1e-6));

test('a published distribution adds up to exactly 100.0', () => {
  fc.assert(
    fc.property(shares, list => {
      const rounded = roundDistribution(list);
      expect(tenths(rounded).reduce((a, b) => a + b, 0)).toBe(1_000);
      expect(rounded.every(p => p >= 0 && p === Number(p.toFixed(1)))).toBe(true);
    }),
  );
});

test('no outcome moves by a tenth or more', () => {
  fc.assert(
    fc.property(shares, list => {
      const sum = list.reduce((a, b) => a + b, 0);
      const moved = roundDistribution(list).map((p, i) => Math.abs(p - ((list[i] ?? 0) / sum) * 100));
      expect(Math.max(...moved)).toBeLessThan(0.1 + 1e-6);
    }),
  );
});

test('a larger share is never published as the smaller', () => {
  fc.assert(
    fc.property(shares, list => {
      const rounded = roundDistribution(list);
      const bySize = [...list.keys()].sort((a, b) => (list[a] ?? 0) - (list[b] ?? 0));
      for (const [place, index] of bySize.entries()) {
        const smaller = bySize[place - 1];
        if (smaller === undefined || (list[index] ?? 0) - (list[smaller] ?? 0) < 1e-6) continue;
        expect(rounded[index]).toBeGreaterThanOrEqual(rounded[smaller] ?? 0);
      }
    }),
  );
});

test('what is already in tenths stays as it is', () => {
  expect(roundDistribution([28.9, 0.1, 71])).toEqual([28.9, 0.1, 71]);
});

test('equal remainders go to the larger share, then to the earlier outcome', () => {
  expect(roundDistribution([1, 1, 1])).toEqual([33.4, 33.3, 33.3]);
  expect(roundDistribution([0.1005, 0.8995])).toEqual([10, 90]);
});
