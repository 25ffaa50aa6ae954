import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparisonOf, scoreTexts } from '../../../web/track-record/comparison.js';
import {
  aroundZero,
  counted,
  difference,
  dollarsOf,
  fromZeroToOne,
  gain,
  points,
  radiusOf,
  range,
  reachOf,
  roundUp,
  score,
  share,
} from '../../../web/track-record/format-figures.js';

describe('the text about a difference', () => {
  const text = (low: number, high: number, events = 30) =>
    scoreTexts[comparisonOf({ n: events, events, confidence_sequence_95: [low, high] })];

  test('a sequence that includes zero is not distinguishable', () => {
    for (const [low, high] of [
      [-0.1, 0.1],
      [0, 0.1],
      [-0.1, 0],
      [0, 0],
    ] as const)
      expect(text(low, high)).toBe('not distinguishable');
  });

  test('below zero the council is better, above it the market', () => {
    expect(text(-0.2, -0.001)).toBe('council better');
    expect(text(0.001, 0.2)).toBe('market better');
  });

  test('fewer than thirty events allow no conclusion, for any sequence', () => {
    expect(text(-0.2, -0.1, 29)).toBe('too few events');
    expect(text(-0.2, -0.1, 30)).toBe('council better');
    expect(scoreTexts[comparisonOf({ n: 100, events: 100, confidence_sequence_95: null })]).toBe(
      'too few events',
    );
    expect(scoreTexts[comparisonOf({ n: 0, events: 0, confidence_sequence_95: null })]).toBe('no data yet');
  });
});

describe('the format of figures', () => {
  test('scores have three digits, differences a sign, and zero none', () => {
    expect([score(0.12345), score(0), score(null)]).toEqual(['0.123', '0.000', null]);
    expect([difference(0.0126), difference(-0.0126), difference(-0.0004)]).toEqual([
      '+0.013',
      '−0.013',
      '0.000',
    ]);
    expect([share(0.625), share(1), share(null)]).toEqual(['62.5\u00a0%', '100\u00a0%', null]);
    expect([gain(0.0321), gain(-1)]).toEqual(['+3.2\u00a0¢', '−100.0\u00a0¢']);
    expect([dollarsOf(0), dollarsOf(Math.log(20.5)), dollarsOf(-12)]).toEqual(['$1.00', '$20.50', '$0.00']);
    expect([dollarsOf(Math.log(2e6)), dollarsOf(1_000)]).toEqual(['$10^6', '$10^434']);
    expect([points(0.0321), points(null)]).toEqual(['+3.2', null]);
  });

  test('an interval has both ends', () => {
    expect(range([-0.01, 0.02], difference)).toBe('−0.010 to +0.020');
    expect(range(null, difference)).toBeNull();
  });

  test('uses the singular for 1', () => {
    expect([counted(0, 'event'), counted(1, 'event'), counted(2, 'event')]).toEqual([
      '0 events',
      '1 event',
      '2 events',
    ]);
  });
});

describe('the scales of the plots', () => {
  const anyNumber = fc.double({ min: -1e6, max: 1e6, noNaN: true });

  test('zero is in the middle, and every value is within the plot', () => {
    fc.assert(
      fc.property(fc.array(anyNumber, { minLength: 1 }), values => {
        const place = aroundZero(reachOf(values), 3);
        expect(place(0)).toBe(50);
        for (const value of values) {
          expect(place(value)).toBeGreaterThanOrEqual(3 - 1e-6);
          expect(place(value)).toBeLessThanOrEqual(97 + 1e-6);
        }
      }),
    );
  });

  test('end at round numbers, at most 2.5 times the largest value', () => {
    expect([0.013, 0.02, 0.0201, 0.3, 7, 99].map(roundUp)).toEqual([0.02, 0.02, 0.05, 0.5, 10, 100]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), value => {
        expect(roundUp(value)).toBeGreaterThanOrEqual(value * (1 - 1e-6));
        expect(roundUp(value)).toBeLessThanOrEqual(value * 2.5 * (1 + 1e-6));
      }),
    );
  });

  test('an empty plot has a range', () => {
    expect(reachOf([])).toBe(1);
    expect(reachOf([0, 0])).toBe(1);
    expect(reachOf([1e-17, Number.MIN_VALUE])).toBe(0.001);
  });

  test('heights increase upwards', () => {
    const up = fromZeroToOne(92, 3);
    expect([up(0), up(1)]).toEqual([92, 3]);
    expect(up(0.5)).toBeCloseTo(47.5, 9);
  });

  test('the area of a point is proportional to its number, with a visible minimum', () => {
    expect(radiusOf(100, 100) / radiusOf(25, 100)).toBeCloseTo(2, 9);
    expect(radiusOf(1, 10_000)).toBe(radiusOf(1, 1_000_000));
    expect(radiusOf(0, 0)).toBeGreaterThan(0);
  });
});
