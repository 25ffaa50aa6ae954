import { expect, test } from '@jest/globals';
import * as method from '../../council/method.js';
import { currentMethod, methodNames, methods } from '../../council/method.js';

/** Rules for parsing answers and comparing floats, which change no number of a report. */
const unpublished = ['distributionSumTolerancePercent', 'comparisonTolerance'];
/** Numbers of `council/1` only. */
const former = ['confidencePerLostModel'];

test('every number of the method is published with a new report', () => {
  const numbers = Object.entries(method).filter(
    ([name, value]) => typeof value === 'number' && ![...unpublished, ...former].includes(name),
  );
  const published = Object.values(methods[currentMethod].published.thresholds);
  expect(published).toHaveLength(numbers.length);
  for (const [name, value] of numbers)
    expect([name, published.filter(each => each === value).length]).not.toEqual([name, 0]);
});

test.each(methodNames)('%s is published under its name', name => {
  expect(methods[name].published.name).toBe(name);
});
