import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blend } from '../../council/conclusion/consensus.js';
import type { Resolution } from '../../council/event.js';
import { gradeForecast, type ReportScores } from '../../record/grades/grade.js';
import { type Score, scoreOf } from '../../record/grades/grade-scores.js';
import type { MarketOutcomes, RecordedForecast } from '../../record/recorded-forecast.js';
import { forecast, outcome, resolved, twoSided } from './grade-fixtures.js';

const scoresOf = (of: RecordedForecast, outcomes: MarketOutcomes): ReportScores => {
  const grade = gradeForecast(of, outcomes);
  if (grade === 'pending' || grade.scores === null) throw new Error('not graded');
  return grade.scores;
};
const expectScore = (score: Score | null | undefined, brier: number, p: number, hit: number) => {
  expect(score?.brier).toBeCloseTo(brier, 12);
  expect(score?.log_score).toBeCloseTo(-Math.log(p), 12);
  expect(score?.hit).toBeCloseTo(hit, 12);
};

/** A distribution (0..1) over 2–8 outcomes, and which of them happened. */
const scored = fc
  .array(fc.integer({ min: 0, max: 1_000 }), { minLength: 2, maxLength: 8 })
  .filter(weights => weights.some(weight => weight > 0))
  .chain(weights => {
    const total = weights.reduce((a, b) => a + b, 0);
    return fc.record({
      p: fc.constant(weights.map(weight => weight / total)),
      winner: fc.integer({ min: 0, max: weights.length - 1 }),
    });
  });
const only = (winner: number, of: readonly unknown[]) =>
  of.map((_, index): 0 | 1 => (index === winner ? 1 : 0));

describe('a score', () => {
  test('of the worked example: 60, 30 and 10 percent, and the second happened', () => {
    expectScore(scoreOf([0.6, 0.3, 0.1], [0, 1, 0], true), 0.36 + 0.49 + 0.01, 0.3, 0);
    expectScore(scoreOf([0.6, 0.3, 0.1], [1, 0, 0], true), 0.16 + 0.09 + 0.01, 0.6, 1);
  });

  test('is 0, 0 and a hit for a certain and correct forecast', () => {
    expect(scoreOf([0, 1, 0], [0, 1, 0], true)).toEqual({ brier: 0, log_score: 0, hit: 1 });
    expect(scoreOf([1, 0], [1, 0], false)).toEqual({ brier: 0, log_score: 0, hit: 1 });
  });

  test('is finite for a certain and wrong forecast: 2 and −ln 0.001', () => {
    expectScore(scoreOf([1, 0], [0, 1], true), 2, 0.001, 0);
    expectScore(scoreOf([1], [0], false), 2, 0.001, 0);
  });

  test('by what a share paid is the mean of the outcomes by their shares', () => {
    const half = scoreOf([0.6], [0.5], false);
    expect(half.brier).toBeCloseTo(2 * 0.1 ** 2, 12);
    expect(half.log_score).toBeCloseTo(-(Math.log(0.6) + Math.log(0.4)) / 2, 12);
    expect(half.hit).toBe(0.5);
    expect(scoreOf([0.6, 0.4, 0], [0.5, 0.5, 0], true)).toEqual({ ...half, brier: expect.closeTo(0.02, 12) });
  });

  test('splits the hit between tied favourites', () => {
    expect(scoreOf([0.5, 0.5], [1, 0], true).hit).toBe(0.5);
    expect(scoreOf([0.4, 0.4, 0.2], [0, 1, 0], true).hit).toBe(0.5);
    expect(scoreOf([0.4, 0.4, 0.2], [0, 0, 1], true).hit).toBe(0);
  });

  test('stays within 0 and 2, 0 and −ln 0.001, 0 and 1, in any order of the outcomes', () => {
    fc.assert(
      fc.property(scored, fc.boolean(), ({ p, winner }, exclusive) => {
        const { brier, log_score, hit } = scoreOf(p, only(winner, p), exclusive);
        for (const [value, most] of [
          [brier, 2],
          [log_score, -Math.log(0.001)],
          [hit, 1],
        ] as const) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(most + 1e-12);
        }
        const turned = scoreOf(p.toReversed(), only(winner, p).toReversed(), exclusive);
        expectScore(turned, brier, Math.exp(-log_score), hit);
      }),
    );
  });

  test('is best in expectation for an honest forecast', () => {
    const lossOf = (of: 'brier' | 'log_score', given: number, believed: number) => {
      const sides = [given, 1 - given];
      const [won, lost] = [scoreOf(sides, [1, 0], true), scoreOf(sides, [0, 1], true)];
      return believed * won[of] + (1 - believed) * lost[of];
    };
    const percent = fc.integer({ min: 1, max: 99 }).map(value => value / 100);
    fc.assert(
      fc.property(percent, percent, fc.constantFrom('brier', 'log_score'), (believed, given, of) => {
        expect(lossOf(of, believed, believed)).toBeLessThanOrEqual(lossOf(of, given, believed) + 1e-12);
      }),
    );
  });

  test('of one independent market equals that of a single market', () => {
    const share = fc.integer({ min: 0, max: 1_000 }).map(tenths => tenths / 1_000);
    fc.assert(
      fc.property(share, p => {
        expect(scoreOf([p], [1], false)).toEqual(scoreOf([p, 1 - p], [1, 0], true));
        expect(scoreOf([p], [0], false)).toEqual(scoreOf([p, 1 - p], [0, 1], true));
      }),
    );
  });

  test('of independent markets is the mean over the markets', () => {
    const each = [scoreOf([0.9], [1], false), scoreOf([0.5], [0], false), scoreOf([0.2], [1], false)];
    const mean = (of: (score: Score) => number) => each.reduce((sum, score) => sum + of(score), 0) / 3;
    const all = scoreOf([0.9, 0.5, 0.2], [1, 0, 1], false);
    const brier = mean(score => score.brier);
    expectScore(all, brier, Math.exp(-mean(score => score.log_score)), 0.5);
  });
});

describe('every forecaster', () => {
  const members = { claude: 70, gpt: 50, grok: 60 };
  const rain = twoSided(62, 55, members);

  test('is scored by the published numbers on the same outcomes', () => {
    const scores = scoresOf(rain, resolved({ Rain: 'no' }));
    expectScore(scores.council, 2 * 0.62 ** 2, 0.38, 0);
    expectScore(scores.market, 2 * 0.55 ** 2, 0.45, 0);
    expectScore(scores.mean, 2 * 0.6 ** 2, 0.4, 0);
    expectScore(scores.members.gpt, 0.5, 0.5, 0.5);
    expect(Object.keys(scores.members)).toEqual(['claude', 'gpt', 'grok']);
  });

  test('includes a blend of 20 % council and 80 % market', () => {
    const [p = 0] = blend([0.62, 0.38], [0.55, 0.45], true);
    expectScore(scoresOf(rain, resolved({ Rain: 'yes' })).blend, 2 * (1 - p) ** 2, p, 1);
  });

  test('with a total of 98 or 102 percent is scaled to 100, also in the mean', () => {
    const off = forecast([
      outcome('A', 60, null, { claude: 51, gpt: 60 }),
      outcome('B', 40, null, { claude: 51, gpt: 40 }),
    ]);
    const scores = scoresOf(off, resolved({ A: 'yes' }));
    expectScore(scores.members.claude, 0.5, 0.5, 0.5);
    expectScore(scores.mean, 2 * 0.45 ** 2, 0.55, 1);
  });

  test('but market and blend is scored without a price on every outcome', () => {
    const half = forecast([outcome('A', 60, 55), outcome('B', 30, null), outcome('C', 10, 45)]);
    const withoutPrice = { market: null, blend: null, council: { hit: 1 } };
    expect(scoresOf(half, resolved({ A: 'yes' }))).toMatchObject(withoutPrice);
  });

  test('without a number on one outcome, or with zeros only, has no score and is not in the mean', () => {
    const torn = forecast([
      outcome('A', 60, 0, { claude: 80, gpt: 50, gemini: 0 }),
      outcome('B', 40, 0, { claude: 20, gemini: 0 }),
    ]);
    const scores = scoresOf(torn, resolved({ A: 'yes' }));
    expect(scores).toMatchObject({ market: null, blend: null, members: { gpt: null, gemini: null } });
    expectScore(scores.mean, 2 * 0.2 ** 2, 0.8, 1);
  });

  test('has no mean if no member has a full set of numbers', () => {
    expect(scoresOf(twoSided(60, 50), resolved({ Rain: 'yes' }))).toMatchObject({ mean: null, members: {} });
  });
});

describe('on independent markets', () => {
  const ladder = forecast(
    [
      outcome('A', 90, 80, { claude: 95, gpt: 0 }),
      outcome('B', 60, null, { claude: 60 }),
      outcome('C', 20, 30, { claude: 10, gpt: 0 }),
    ],
    { exclusive: false },
  );
  const given = (B: Resolution) => resolved({ A: 'yes', B, C: 'no' });

  test('a market that dropped out is not scored and needs no price', () => {
    const scores = scoresOf(ladder, given('void'));
    expectScore(scores.council, (2 * 0.1 ** 2 + 2 * 0.2 ** 2) / 2, Math.sqrt(0.9 * 0.8), 1);
    expectScore(scores.market, (2 * 0.2 ** 2 + 2 * 0.3 ** 2) / 2, Math.sqrt(0.8 * 0.7), 1);
    expectScore(scores.members.gpt, (2 + 0) / 2, Math.sqrt(0.001), 0.5);
    expect(scores.blend).not.toBeNull();
  });

  test('probabilities are scored as given, without scaling', () => {
    const scores = scoresOf(ladder, given('yes'));
    const brier = (2 * 0.05 ** 2 + 2 * 0.4 ** 2 + 2 * 0.1 ** 2) / 3;
    expectScore(scores.members.claude, brier, Math.cbrt(0.95 * 0.6 * 0.9), 1);
    expect(scores).toMatchObject({ market: null, blend: null, members: { gpt: null } });
  });

  test('the blend is computed market by market', () => {
    const blended = blend([0.9, 0.2], [0.8, 0.3], false);
    const [a = 0, c = 0] = blended;
    const { blend: score } = scoresOf(ladder, given('void'));
    expectScore(score, (2 * (1 - a) ** 2 + 2 * c ** 2) / 2, Math.sqrt(a * (1 - c)), 1);
  });
});
