import { expect, test } from '@jest/globals';
import { roundTo } from '../../council/round-to.js';

test('rounds to so many decimals', () => {
  expect(roundTo(12.345678, 1)).toBe(12.3);
  expect(roundTo(0.5673921, 6)).toBe(0.567392);
});

test('never gives −0, which JSON would turn into another number', () => {
  expect(Object.is(roundTo(-0.01, 1), 0)).toBe(true);
});
