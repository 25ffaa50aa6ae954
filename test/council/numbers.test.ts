import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { at, atLeast, indexOfMax, roundDistribution, roundTo } from '../../council/numbers.js';

test('a threshold holds in decimal despite binary rounding', () => {
  expect(0.35 - 0.3 >= 0.05).toBe(false);
  expect(atLeast(0.35 - 0.3, 0.05)).toBe(true);
});

test('a value below the threshold does not meet it', () => {
  expect(atLeast(4.999999, 5)).toBe(false);
});

test('a missing item throws', () => {
  expect(at([7], 0)).toBe(7);
  expect(() => at([7], 1)).toThrow('nothing at index 1 of 1');
});

test('the first of equal values wins', () => {
  expect(indexOfMax([0.1, 0.4, 0.4])).toBe(1);
});

test('null never wins, and an empty list has no winner', () => {
  expect(indexOfMax([null, -3, null])).toBe(1);
  expect(indexOfMax([null])).toBe(-1);
  expect(indexOfMax([])).toBe(-1);
});

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

test('a larger share is never rounded below a smaller one', () => {
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

test('tenths stay unchanged', () => {
  expect(roundDistribution([28.9, 0.1, 71])).toEqual([28.9, 0.1, 71]);
});

test('equal remainders go to the larger share, then to the earlier outcome', () => {
  expect(roundDistribution([1, 1, 1])).toEqual([33.4, 33.3, 33.3]);
  expect(roundDistribution([0.1005, 0.8995])).toEqual([10, 90]);
});

test('rounds to the given number of decimals', () => {
  expect(roundTo(12.345678, 1)).toBe(12.3);
  expect(roundTo(0.5673921, 6)).toBe(0.567392);
});

test('never returns −0, which JSON changes to 0', () => {
  expect(Object.is(roundTo(-0.01, 1), 0)).toBe(true);
});
