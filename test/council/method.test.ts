import { expect, test } from '@jest/globals';
import * as numbersOfMethod from '../../council/method.js';
import { method } from '../../council/method.js';

/** Rules for parsing answers and comparing floats, which change no number of a report. */
const unpublished = ['distributionSumTolerancePercent', 'comparisonTolerance'];

test('every number of the method is published with a report', () => {
  const numbers = Object.entries(numbersOfMethod).filter(
    ([name, value]) => typeof value === 'number' && !unpublished.includes(name),
  );
  const published = Object.values(method.thresholds);
  expect(published).toHaveLength(numbers.length);
  for (const [name, value] of numbers)
    expect([name, published.filter(each => each === value).length]).not.toEqual([name, 0]);
});
