import { expect, test } from '@jest/globals';
import { blend } from '../../council/blend.js';

const logit = (p: number) => Math.log(p / (1 - p));

test('the blend is a fifth council and four fifths market, in logits', () => {
  const [p] = blend([0.8], [0.5], false);
  expect(logit(p ?? 0)).toBeCloseTo(0.2 * logit(0.8), 12);
});

test('a blend of two alike is the same again, and of a distribution adds up to 1', () => {
  const both = blend([0.5, 0.3, 0.2], [0.5, 0.3, 0.2], true);
  expect(both[0]).toBeCloseTo(0.5, 12);
  expect(both.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
});
