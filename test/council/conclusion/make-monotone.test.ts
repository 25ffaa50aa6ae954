import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { makeMonotone } from '../../../council/conclusion/make-monotone.js';

test('neighbours that break the order get their mean, and all others keep every bit', () => {
  const made = makeMonotone([0.1 + 0.2, 0.5, 0.6, 0.1, 0.9], [[1, 2, 0, 3]]);
  expect(made).toEqual([0.1 + 0.2, 0.55, 0.55, 0.1, 0.9]);
});

test('an outcome without a probability orders nothing', () => {
  expect(makeMonotone([0.4, null, 0.6], [[0, 1, 2]])).toEqual([0.5, null, 0.5]);
});

test('the result falls along the ladder, keeps its sum, and is a fixed point', () => {
  const probability = fc.integer({ min: 0, max: 1_000 }).map(n => n / 1_000);
  fc.assert(
    fc.property(fc.array(probability, { minLength: 2, maxLength: 12 }), given => {
      const ladder = [[...given.keys()]];
      const made = makeMonotone(given, ladder);
      for (const [index, p] of made.entries()) expect(p).toBeLessThanOrEqual((made[index - 1] ?? 1) + 1e-12);
      const total = (values: readonly number[]) => values.reduce((sum, p) => sum + p, 0);
      expect(total(made)).toBeCloseTo(total(given), 9);
      for (const [index, p] of makeMonotone(made, ladder).entries())
        expect(p).toBeCloseTo(made[index] ?? 0, 12);
    }),
  );
});
