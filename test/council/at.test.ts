import { expect, test } from '@jest/globals';
import { at } from '../../council/at.js';

test('a hole is an error and never a number', () => {
  expect(at([7], 0)).toBe(7);
  expect(() => at([7], 1)).toThrow('nothing at index 1 of 1');
});
