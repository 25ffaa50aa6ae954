import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { conflict } from '../../council/conflict.js';

const yes = (p: number) => [p, 1 - p];

describe('total variation', () => {
  test('of 25 points is a conflict, of less is none', () => {
    expect(conflict(yes(0.8), yes(0.55))).toBe(true);
    expect(conflict(yes(0.8), yes(0.551))).toBe(false);
  });

  test('counts what would have to move over all outcomes', () => {
    expect(conflict([0.5, 0.05, 0.2, 0.25], [0.5, 0.3, 0.1, 0.1])).toBe(true);
  });
});

describe('favourites', () => {
  test('that differ by 10 points in the council’s eyes are a conflict, by less are none', () => {
    expect(conflict([0.4, 0.3, 0.3], [0.35, 0.4, 0.25])).toBe(true);
    expect(conflict([0.4, 0.301, 0.299], [0.35, 0.4, 0.25])).toBe(false);
  });

  test('that the market cannot tell apart within a point are all its favourites', () => {
    expect(conflict([0.4, 0.6], [0.5, 0.5])).toBe(false);
    expect(conflict([0.6, 0.4], [0.5, 0.5])).toBe(false);
    expect(conflict([0.6, 0.4], [0.495, 0.505])).toBe(false);
    expect(conflict([0.6, 0.4], [0.494, 0.506])).toBe(true);
  });
});

test('a council that says what the market says is never in conflict', () => {
  const distribution = fc
    .array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 2, maxLength: 9 })
    .map(list => list.map(x => x / list.reduce((a, b) => a + b, 0)));
  fc.assert(fc.property(distribution, p => !conflict(p, p)));
});

test('which of two sides is called YES changes nothing', () => {
  const p = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      p,
      p,
      (a, b) => conflict(yes(a), yes(b)) === conflict(yes(a).toReversed(), yes(b).toReversed()),
    ),
  );
});
