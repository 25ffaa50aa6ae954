import { describe, expect, test } from '@jest/globals';
import { parseRecordedForecast } from '../../record/parse-recorded-forecast.js';
import { bet, forecast, outcome, twoSided } from './grade-fixtures.js';

describe('an entry of the record', () => {
  test.each([
    ['of a market with two sides', twoSided(70, 55, { claude: 75, gpt: 65 })],
    [
      'without prices, with a bet and markets left out',
      forecast([outcome('A', 100)], { left_out: ['m'], bets: [bet('A')], category: null }),
    ],
    [
      'with the stake of a bet',
      forecast([outcome('A', 100)], { record: 'record/2', bets: [bet('A', { stake_fraction: 0.0387 })] }),
    ],
    ['of an outcome that no market is', forecast([{ ...outcome('Any other', 3), market_id: null }])],
    [
      'with what was looked up',
      forecast([outcome('A', 100)], { evidence: { status: 'partial', items: 3, sha256: 'e'.repeat(64) } }),
    ],
    ['of which nobody looked anything up', forecast([outcome('A', 100)], { evidence: null })],
  ])('%s is parsed unchanged', (_what, recorded) => {
    expect(parseRecordedForecast(JSON.stringify(recorded))).toEqual(recorded);
  });

  test.each([
    ['text that is no JSON', '{'],
    ['another kind of document', '[]'],
    ['a forecast without outcomes', JSON.stringify(forecast([]))],
    ['a percent above 100', JSON.stringify(forecast([outcome('A', 101)]))],
    ['an unknown version', JSON.stringify({ ...forecast([outcome('A', 50)]), record: 'record/0' })],
    [
      'a hash of evidence that is none',
      JSON.stringify({
        ...forecast([outcome('A', 50)]),
        evidence: { status: 'none', items: 0, sha256: 'x' },
      }),
    ],
    [
      'an unknown member',
      JSON.stringify(forecast([{ ...outcome('A', 50), members: { llama: 1 } as object }])),
    ],
  ])('with %s is rejected', (_what, text) => {
    expect(parseRecordedForecast(text)).toBeNull();
  });
});
