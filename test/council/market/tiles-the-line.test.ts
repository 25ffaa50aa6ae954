import { expect, test } from '@jest/globals';
import type { Strike } from '../../../council/event.js';
import { tilesTheLine } from '../../../council/market/tiles-the-line.js';

const strike = (kind: Strike['kind'], floor: number | null, cap: number | null): Strike => ({
  kind,
  floor,
  cap,
});
const below60 = strike('below', null, 60);
const from60 = strike('between', 60, 62);
const from62 = strike('between', 62, 64);
const above64 = strike('above', 64, null);

test.each<[string, (Strike | undefined)[]]>([
  ['ranges that begin where the one before ends, in any order', [above64, from62, below60, from60]],
  ['two tails of which one has the bound', [below60, strike('at_least', 60, null)]],
])('%s are the whole line', (_, strikes) => {
  expect(tilesTheLine(strikes)).toBe(true);
});

test('buckets of whole degrees with a gap of exactly 1 are not proven: no venue says that the number is an integer', () => {
  const buckets = [60, 62, 64].map(floor => strike('between', floor, floor + 1));
  const tails = (low: number, high: number) => [
    [strike('below', null, low), strike('above', high, null)],
    [strike('at_most', null, low - 1), strike('at_least', high + 1, null)],
  ];
  for (const [low, high] of tails(60, 65)) expect(tilesTheLine([low, ...buckets, high])).toBe(false);
});

test.each<[string, (Strike | undefined)[]]>([
  ['nothing', []],
  ['no lower tail', [from60, from62, above64]],
  ['no upper tail', [below60, from60, from62]],
  ['a range that is missing', [below60, from60, above64]],
  ['integers without what lies between them', [below60, strike('between', 60, 61), from62, above64]],
  ['ranges that overlap', [below60, from60, strike('between', 61, 64), above64]],
  ['a ladder', [strike('above', 60, null), strike('above', 62, null), below60]],
  ['two tails without the bound', [below60, strike('above', 60, null)]],
  ['a market without a number', [below60, from60, from62, above64, undefined]],
  ['tails without bounds', [strike('at_most', null, null), strike('at_least', null, null)]],
  ['a range without a bound', [below60, strike('between', 60, null), above64]],
])('%s: not proven', (_, strikes) => {
  expect(tilesTheLine(strikes)).toBe(false);
});
