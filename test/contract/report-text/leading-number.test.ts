import { describe, expect, test } from '@jest/globals';
import { presentRuntime } from '../../../api/present/report.js';
import {
  leadingNumber,
  leadingSentence,
  leadingText,
  otherFavourites,
  yesOutcome,
} from '../../../contract/report-text/leading-number.js';
import type { RuntimeView } from '../../../contract/runtime.js';
import { conclude } from '../../../council/conclusion/conclude.js';
import { input } from '../../council/conclusion/conclude-input.js';

const { estimate }: RuntimeView = presentRuntime(conclude(input()).runtime, null);
if (estimate === null) throw new Error('the worked example has an estimate');

/** Three outcomes, with the percents of estimate, council and market for each. */
function runtime(
  percents: Readonly<
    Record<string, readonly [estimate: number | null, council: number, market: number | null]>
  >,
) {
  const column = <Cell>(cellOf: (row: readonly [number | null, number, number | null]) => Cell) =>
    Object.fromEntries(Object.entries(percents).map(([name, row]) => [name, cellOf(row)]));
  return {
    estimate: { ...estimate, probabilities: column(([first]) => first) } as RuntimeView['estimate'],
    estimate_missing: null,
    market_probabilities: column(([, council]) => council),
    market_implied_probabilities: column(([, , market]) => market),
  };
}

const cup = runtime({ Ada: [58, 71, 54], Bela: [30, 19, 32.5], Chen: [12, 10, 13.5] });

describe('what a report says first', () => {
  test('is the estimate of the outcome that it calls most likely, with council and market beside it', () => {
    expect(leadingText(leadingNumber(cup))).toBe(
      'Estimate 58 % (council, without seeing a price: 71; market: 54)',
    );
    expect(leadingNumber(cup)).toMatchObject({ outcome: 'Ada', why: null });
    expect(leadingText(leadingNumber(cup, 'Bela'))).toContain('Estimate 30 % (council');
  });

  test('follows the estimate where council and market have other favourites, and names these', () => {
    const split = runtime({ Ada: [45, 20, 60], Bela: [55, 80, 40] });
    expect(leadingNumber(split).outcome).toBe('Bela');
    expect(otherFavourites(split)).toEqual([{ name: 'market', outcome: 'Ada', percent: 60 }]);
    expect(otherFavourites(cup)).toEqual([]);
    expect(otherFavourites(runtime({ Ada: [50, 50, 50], Bela: [50, 50, 50] }))).toEqual([]);
  });

  test.each([
    ['no_price', 'the market has no prices'],
    ['sum_out_of_range', 'add up to too much or too little'],
    ['no_firm_price', 'are not firm'],
  ] as const)(
    'is the council’s number without an estimate, and says so and why: %s',
    (estimate_missing, reason) => {
      const leading = leadingNumber({ ...cup, estimate: null, estimate_missing });
      expect(leadingText(leading)).toBe('Council 71 % (without seeing a price; market: 54)');
      expect(leading.why).toMatch(/^There is no estimate, because .*, so the number is the council’s\.$/);
      expect(leading.why).toContain(reason);
    },
  );

  test('is the council’s number for an independent market without a firm price, and says so', () => {
    const ladder = runtime({ Above: [null, 90, null], Below: [55, 60, 50] });
    const leading = leadingNumber(ladder);
    expect(leadingText(leading)).toBe('Council 90 % (without seeing a price; market: no price)');
    expect(leading).toMatchObject({
      outcome: 'Above',
      why: expect.stringContaining('its price is not firm'),
    });
    expect(leadingSentence(leadingNumber(ladder, 'Below'))).toMatch(/^Estimate 55 % .*\.$/);
    const sentence = leadingSentence(leading, leadingNumber(ladder, 'Below'));
    expect(sentence).toBe(`${leadingText(leading)}. ${leading.why}`);
    expect(leadingSentence(leading, leading)).toBe(`${leadingText(leading)}.`);
  });
});

test('the YES of a market is the outcome of its name, or the first side of the only market, if that is known', () => {
  const sides = runtime({ Yes: [40, 41, 39], No: [60, 59, 61] });
  expect(yesOutcome(cup, 'Bela')).toBe('Bela');
  expect(yesOutcome(sides, 'Will it rain?')).toBe('Yes');
  expect(yesOutcome(cup, 'Will it rain?')).toBeNull();
  expect(yesOutcome(sides, null)).toBeNull();
  // JSON puts names that are whole numbers first, whatever their order was.
  expect(yesOutcome(runtime({ 2028: [40, 40, 40], Later: [60, 60, 60] }), 'In which year?')).toBeNull();
});
