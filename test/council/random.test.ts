import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { seededShuffle } from '../../council/random.js';

const ascending = (a: number, b: number) => a - b;

test('a seed always gives the same order', () => {
  expect(seededShuffle('report-1/gpt', ['a', 'b', 'c', 'd'])).toEqual(
    seededShuffle('report-1/gpt', ['a', 'b', 'c', 'd']),
  );
  expect(seededShuffle('seed', [1, 2, 3, 4, 5])).toEqual([3, 2, 4, 1, 5]);
});

test('returns a permutation and does not change its input', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.integer()), (seed, items) => {
      const before = [...items];
      expect(seededShuffle(seed, items).sort(ascending)).toEqual([...items].sort(ascending));
      expect(items).toEqual(before);
    }),
  );
});

test('over many seeds every position is equally likely', () => {
  const places = [0, 0, 0, 0];
  for (let seed = 0; seed < 4_000; seed += 1) {
    const place = seededShuffle(`report-${seed}`, ['x', 'b', 'c', 'd']).indexOf('x');
    places[place] = (places[place] ?? 0) + 1;
  }
  for (const count of places) expect(Math.abs(count - 1_000)).toBeLessThan(130);
});
