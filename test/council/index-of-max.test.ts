import { expect, test } from '@jest/globals';
import { indexOfMax } from '../../council/index-of-max.js';

test('the first of equals wins', () => {
  expect(indexOfMax([0.1, 0.4, 0.4])).toBe(1);
});

test('a missing value never wins, and among none there is no winner', () => {
  expect(indexOfMax([null, -3, null])).toBe(1);
  expect(indexOfMax([null])).toBe(-1);
  expect(indexOfMax([])).toBe(-1);
});
