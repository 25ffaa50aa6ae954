import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { logGrowth } from '../../council/log-growth.js';

test('a likely small edge grows faster than a long shot of ten times the return', () => {
  expect(logGrowth(0.62, 0.56)).toBeCloseTo(0.0074, 4);
  expect(logGrowth(0.02, 0.01)).toBeCloseTo(0.0039, 4);
});

test('a share at its worth or above grows nothing', () => {
  expect(logGrowth(0.5, 0.5)).toBe(0);
  expect(logGrowth(0.1, 0.9)).toBe(0);
});

test('growth is finite and never negative, also where the council is certain', () => {
  expect(logGrowth(1, 0.5)).toBeCloseTo(Math.log(2), 12);
  const q = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(q, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (p, c) => logGrowth(p, c) >= -1e-15),
  );
});
