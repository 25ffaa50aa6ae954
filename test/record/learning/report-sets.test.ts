import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../../council/conclusion/conclude.js';
import { estimate } from '../../../council/estimate/estimate.js';
import type { EstimateMethod } from '../../../council/method.js';
import { at } from '../../../council/numbers.js';
import type { GradedOutcome } from '../../../record/grades/grade.js';
import { reportSets } from '../../../record/learning/report-sets.js';
import { freezeForecast, type RecordedForecast } from '../../../record/recorded-forecast.js';
import { input as concludeInput, weights } from '../../council/conclusion/conclude-input.js';
import { review } from '../../council/fixtures.js';
import { forecast, outcome, twoSided } from '../grade-fixtures.js';

const setsOf = (
  recorded: RecordedForecast,
  graded: readonly GradedOutcome[],
  kind: EstimateMethod = 'estimate/2',
) => reportSets(recorded, graded, kind);
const happened = (...results: readonly (0 | 1 | null)[]) =>
  results.map((result, index) => ({ name: String(index), happened: result }));

describe('what is learnt from a graded report', () => {
  test('of one market is its two sides', () => {
    const [set, ...others] = setsOf(twoSided(70, 60, { claude: 75, gpt: 65 }), happened(0, 1));
    expect(others).toEqual([]);
    expect(set).toEqual({
      event: 'e1',
      happened: 1,
      market: [0.6, 0.4],
      council: [0.7, 0.3],
      members: [
        [0.75, 0.25],
        [0.65, 0.35],
      ],
    });
  });

  test('of an exclusive event is the whole set, in which an outcome without a price has none', () => {
    const outcomes = [
      outcome('A', 50, 60, { claude: 50 }),
      { ...outcome('B', 49, null, { claude: 49, gpt: 1 }), estimate: 1 },
    ];
    const [set] = setsOf(forecast(outcomes), happened(1, 0));
    expect(set).toMatchObject({ happened: 0, market: [0.6, 0], members: [[0.5, 0.49]] });
  });

  test('of independent markets is each market that was graded, and members may give it 0', () => {
    const outcomes = [
      outcome('A', 50, 60, { claude: 0 }),
      outcome('B', 20, 30, { claude: 20 }),
      outcome('C', 20, 30, { claude: 20 }),
      outcome('D', 20, null, { claude: 20 }),
    ];
    const sets = setsOf(forecast(outcomes, { exclusive: false }), happened(1, 0, null, 1));
    expect(sets.map(set => [set.happened, set.market, set.members])).toEqual([
      [0, [0.6, 0.4], [[0, 1]]],
      [1, [0.3, 0.7], [[0.2, 0.8]]],
    ]);
  });

  test('is nothing without a grade, a price, a member or an estimate', () => {
    const rain = twoSided(70, 60, { claude: 75 });
    const without = rain.outcomes.map(each => ({ ...each, estimate: null }));
    expect(setsOf({ ...rain, outcomes: without }, happened(1, 0))).toEqual([]);
    expect(setsOf(rain, [])).toEqual([]);
    expect(setsOf({ ...rain, exclusive: false }, [])).toEqual([]);
    expect(setsOf(twoSided(70, null, { claude: 75 }), happened(1, 0))).toEqual([]);
    expect(setsOf(twoSided(70, 60), happened(1, 0))).toEqual([]);
  });

  test('has the opinions whose dispersion the formula counts: the first ones, or the final ones by estimate/1', () => {
    const rain = twoSided(70, 60, { claude: 75 });
    const outcomes = rain.outcomes.map((each, index) => ({
      ...each,
      first_members: { claude: index === 0 ? 90 : 10 },
    }));
    const membersBy = (kind: EstimateMethod) =>
      setsOf({ ...rain, outcomes }, happened(1, 0), kind).map(({ members }) => members);
    expect(membersBy('estimate/2')).toEqual([[[0.9, 0.1]]]);
    expect(membersBy('estimate/1')).toEqual([[[0.75, 0.25]]]);
  });

  test.each(['estimate/1', 'estimate/2'] as const)(
    'gives the estimate that the report published by %s',
    kind => {
      const coefficients = { ...weights.coefficients, council_by_dispersion: 0.5 };
      const byKind = { ...weights, coefficients, kind };
      const revised = { Canada: 90, Draw: 5, 'South Africa': 5 };
      const input = concludeInput({ weights: byKind, reviews: { claude: review(['gpt'], revised) } });
      const conclusion = conclude(input);
      const frozen = freezeForecast({
        reportId: 1,
        input,
        conclusion,
        modelIds: {},
        promptSha256: 'a'.repeat(64),
        completedAt: '2031-03-05T12:00:00.000Z',
      });
      const recorded = { ...frozen, answers_sha256: 'b'.repeat(64), market_sha256: 'c'.repeat(64) };
      const [set] = setsOf(
        recorded,
        happened(...recorded.outcomes.map((_, index) => (index === 0 ? 1 : 0))),
        kind,
      );
      if (set === undefined) throw new Error('nothing to learn');
      for (const [index, p] of estimate(set, byKind).entries()) {
        expect(p * 100).toBeCloseTo(at(recorded.outcomes, index).estimate ?? Number.NaN, 0);
      }
    },
  );
});
