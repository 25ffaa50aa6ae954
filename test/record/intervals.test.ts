import { expect, test } from '@jest/globals';
import { seededRandom } from '../../council/random.js';
import { bootstrapInterval } from '../../record/figures/intervals.js';

const next = seededRandom('a hundred draws');
const draws = Array.from({ length: 100 }, () => ({ sum: next(), count: 1 }));

test('the interval of a mean is about two standard errors wide on either side', () => {
  const [low, high] = bootstrapInterval(draws) ?? [0, 0];
  const mean = draws.reduce((total, { sum }) => total + sum, 0) / draws.length;
  const error = Math.sqrt(draws.reduce((total, { sum }) => total + (sum - mean) ** 2, 0)) / draws.length;
  expect((mean - low) / error).toBeCloseTo(1.96, 0);
  expect((high - mean) / error).toBeCloseTo(1.96, 0);
});

test('the same data give the same interval to the last bit', () => {
  expect(bootstrapInterval(draws)).toEqual(bootstrapInterval([...draws]));
});

test('ten equal measurements per cluster give the same interval as one', () => {
  const repeated = draws.map(({ sum }) => ({ sum: sum * 10, count: 10 }));
  const [low, high] = bootstrapInterval(draws) ?? [0, 0];
  const [lowOfTen, highOfTen] = bootstrapInterval(repeated) ?? [1, 1];
  expect(lowOfTen).toBeCloseTo(low, 12);
  expect(highOfTen).toBeCloseTo(high, 12);
});

test('one cluster has no interval', () => {
  expect(bootstrapInterval([{ sum: 5, count: 10 }])).toBeNull();
  expect(bootstrapInterval([])).toBeNull();
});
