import { expect, test } from '@jest/globals';
import { takerFee } from '../../council/fee.js';

test('the fee is rate · (p · (1 − p)) ^ exponent', () => {
  expect(takerFee(0.56, { rate: 0.03, exponent: 1 })).toBeCloseTo(0.007392, 12);
  expect(takerFee(0.5, { rate: 0.25, exponent: 2 })).toBeCloseTo(0.015625, 12);
});

test('no rate, no fee', () => {
  expect(takerFee(0.5, { rate: 0, exponent: 1 })).toBe(0);
});
