import { expect, test } from '@jest/globals';
import { atLeast } from '../../council/at-least.js';

test('a threshold is met in decimals, whatever binary makes of the difference', () => {
  expect(0.35 - 0.3 >= 0.05).toBe(false);
  expect(atLeast(0.35 - 0.3, 0.05)).toBe(true);
});

test('less than the threshold is less', () => {
  expect(atLeast(4.999999, 5)).toBe(false);
});
