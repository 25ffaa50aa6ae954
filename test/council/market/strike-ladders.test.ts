import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Strike } from '../../../council/event.js';
import { laddersOf } from '../../../council/market/ladders.js';
import { market } from '../fixtures.js';

const file = fileURLToPath(
  new URL('../../../../shared/data/kalshi/ladder.KXAAAGASM-26JUL31.csv', import.meta.url),
);
const present = existsSync(file);

const strikeOf = (kind: Strike['kind'], value: number): Strike =>
  kind === 'above' || kind === 'at_least'
    ? { kind, floor: value, cap: null }
    : { kind, floor: null, cap: value };
const of = (kind: Strike['kind'], question: string, ...values: number[]) =>
  values.map(value => ({
    ...market({ name: `${value}`, question: question.replace('N', `${value}`) }),
    strike: strikeOf(kind, value),
  }));

describe('strikes as data give a ladder, the most probable first', () => {
  test.each<[Strike['kind'], readonly number[]]>([
    ['above', [1, 2, 0]],
    ['at_least', [1, 2, 0]],
    ['below', [0, 2, 1]],
    ['at_most', [0, 2, 1]],
  ])('%s, whatever the words say', (kind, ladder) => {
    expect(laddersOf(of(kind, 'Gas: N', 80, 60, 70))).toEqual([ladder]);
  });

  test('one for each subject', () => {
    const markets = [...of('at_least', 'Ann: N points', 10, 20), ...of('at_least', 'Bo: N points', 15, 25)];
    expect(laddersOf(markets)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test('none of equal values, and none of ranges', () => {
    expect(laddersOf(of('above', 'Gas above N', 4, 4))).toEqual([]);
    const ranges = of('above', 'Gas above N', 4, 5).map(one => ({
      ...one,
      strike: { kind: 'between' as const, floor: 4, cap: 5 },
    }));
    expect(laddersOf(ranges)).toEqual([]);
  });
});

(present ? test : test.skip)(
  `a ladder of Kalshi is one ladder${present ? '' : ' (skipped: ../shared/data/kalshi is not here)'}`,
  () => {
    const titles = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map(line => line.split(',')[0] ?? '');
    const markets = titles.map(title => ({
      ...market({ name: title, question: `Gas price: ${title}` }),
      strike: strikeOf('above', Number(title.replace('Above ', ''))),
    }));
    const upwards = [...markets.keys()].sort(
      (a, b) => (markets[a]?.strike.floor ?? 0) - (markets[b]?.strike.floor ?? 0),
    );
    expect(laddersOf(markets)).toEqual([upwards]);
  },
);
