import { describe, expect, test } from '@jest/globals';
import { rulesChanges } from '../../../api/present/rules-changes.js';
import type { Rules } from '../../../council/market/rules.js';

const ruled = (rain: string, snow = 'Any.'): Rules => [
  'At noon.',
  [
    ['rain', rain],
    ['snow', snow],
  ],
];
const at = (day: number) => new Date(Date.UTC(2031, 2, day));
const sold = ruled('one');

describe('the rules of a report', () => {
  test('have changed since the first reading with other ones, and stay changed when they are taken back', () => {
    const changes = rulesChanges(sold, [
      { seenAt: at(1), rules: sold },
      { seenAt: at(2), rules: ruled('two') },
      { seenAt: at(3), rules: sold },
      { seenAt: at(4), rules: ruled('one', 'Heavy.') },
    ]);
    expect(changes.firstAt).toEqual(at(2));
    expect([...changes.until(at(1))]).toEqual([]);
    expect([...changes.until(at(3))]).toEqual(['rain']);
    expect([...changes.until(at(4))]).toEqual(['rain', 'snow']);
  });

  test('have not changed if every later reading has the same ones', () => {
    const changes = rulesChanges(sold, [
      { seenAt: at(1), rules: ['At noon.', [...sold[1], ['hail', 'Any.']]] },
    ]);
    expect(changes.firstAt).toBeNull();
    expect(changes.until(at(9)).size).toBe(0);
  });
});
