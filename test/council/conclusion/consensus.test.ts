import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { blend, consensus, memberForecasts, pool, twoSides } from '../../../council/conclusion/consensus.js';
import { makeMonotone } from '../../../council/conclusion/make-monotone.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { roundDistribution, sum } from '../../../council/numbers.js';
import { event, opinion, priced, review } from '../fixtures.js';

const logit = (p: number) => Math.log(p / (1 - p));
const exclusively = (...rows: number[][]) => pool(rows, { exclusive: true });
const independently = (...rows: number[][]) => pool(rows, { exclusive: false });

test('the blend is 20 % council and 80 % market in logits, and of two equal distributions the same one', () => {
  const [p] = blend([0.8], [0.5], false);
  expect(logit(p ?? 0)).toBeCloseTo(0.2 * logit(0.8), 12);
  const both = blend([0.5, 0.3, 0.2], [0.5, 0.3, 0.2], true);
  expect(both[0]).toBeCloseTo(0.5, 12);
  expect(sum(both)).toBeCloseTo(1, 12);
});

describe('a published consensus', () => {
  const member = (model: 'claude' | 'gpt', ...fractions: number[]) => ({ model, fractions, confidence: 60 });

  test('on exclusive outcomes adds up to exactly 100', () => {
    const members = [member('claude', 0.5, 0.3, 0.2), member('gpt', 0.4, 0.35, 0.27)];
    expect(sum(consensus(twoSides, members).percents.map(p => Math.round(p * 10)))).toBe(1_000);
  });

  test('on independent questions is rounded one by one', () => {
    const members = [member('claude', 0.9, 0.8), member('gpt', 0.9, 0.8)];
    expect(consensus({ exclusive: false, ladders: [] }, members).percents).toEqual([90, 80]);
  });
});

describe('the forecasts of the members', () => {
  const set = outcomeSet(event([priced('Will it rain?', 0.4)]));
  const reviews = { gpt: review(['claude'], { Yes: 65, No: 35 }, { revisedConfidence: 50 }) };

  test('are the revised ones, or the original ones if the review failed', () => {
    const opinions = {
      gpt: opinion({ Yes: 70, No: 30 }),
      claude: opinion({ No: 40, Yes: 60 }, { confidence: 80 }),
    };
    expect(memberForecasts(set, opinions, reviews)).toEqual([
      { model: 'claude', fractions: [0.6, 0.4], first: [0.6, 0.4], confidence: 80, firstConfidence: 80 },
      { model: 'gpt', fractions: [0.65, 0.35], first: [0.7, 0.3], confidence: 50, firstConfidence: 60 },
    ]);
  });

  test('are none by a model without an opinion, and a missing outcome throws instead of getting a default number', () => {
    expect(memberForecasts(set, {}, reviews)).toEqual([]);
    expect(() => memberForecasts(set, { gpt: opinion({ Yes: 100 }) }, {})).toThrow(RangeError);
  });
});

const probability = fc.double({ min: 0, max: 1, noNaN: true });

/** 1 to 4 members over 2 to 12 outcomes, including zeros and ones; every member has an opinion. */
const council = fc.integer({ min: 2, max: 12 }).chain(outcomes => {
  const row = fc.array(fc.oneof(probability, fc.constantFrom(0, 1)), {
    minLength: outcomes,
    maxLength: outcomes,
  });
  return fc.array(
    row.filter(each => each.some(p => p > 1e-3)),
    { minLength: 1, maxLength: 4 },
  );
});

describe.each([true, false])('any pool, exclusive: %s', exclusive => {
  test('is a probability on every outcome, adds up to 1 if exclusive, and does not depend on the order of the members', () => {
    fc.assert(
      fc.property(council, rows => {
        const pooled = pool(rows, { exclusive });
        for (const p of pooled) {
          expect(p).toBeGreaterThan(0);
          expect(p).toBeLessThan(1);
        }
        if (exclusive) expect(sum(pooled)).toBeCloseTo(1, 12);
        for (const turned of [rows.toReversed(), [...rows.slice(1), ...rows.slice(0, 1)]])
          expect(pool(turned, { exclusive })).toEqual(pooled);
      }),
    );
  });

  test('is never lowered by raising a member’s probability', () => {
    const raised = council.chain(rows =>
      fc.record({
        rows: fc.constant(rows),
        member: fc.nat({ max: rows.length - 1 }),
        outcome: fc.nat({ max: (rows[0]?.length ?? 1) - 1 }),
        by: probability,
      }),
    );
    fc.assert(
      fc.property(raised, ({ rows, member, outcome, by }) => {
        const more = rows.map((row, m) =>
          m === member ? row.map((p, k) => (k === outcome ? p + (1 - p) * by : p)) : row,
        );
        const before = pool(rows, { exclusive })[outcome] ?? Number.NaN;
        const after = pool(more, { exclusive })[outcome] ?? Number.NaN;
        expect(after).toBeGreaterThanOrEqual(before - 1e-12);
      }),
    );
  });
});

describe('an exclusive pool', () => {
  test('of unanimous members publishes their forecast', () => {
    const tenths = fc
      .array(fc.integer({ min: 10, max: 400 }), { minLength: 2, maxLength: 12 })
      .map(weights => roundDistribution(weights))
      .filter(percents => percents.every(p => p >= 200 * (0.01 / percents.length) && p <= 99));
    fc.assert(
      fc.property(tenths, fc.integer({ min: 1, max: 4 }), (percents, members) => {
        const rows = Array.from({ length: members }, () => percents.map(p => p / 100));
        expect(roundDistribution(exclusively(...rows))).toEqual(percents);
      }),
    );
  });

  test('of two outcomes is the mean of the logits', () => {
    const mean = (logit(0.3) + logit(0.8) + logit(0.6)) / 3;
    const [p = 0] = exclusively([0.3, 0.7], [0.8, 0.2], [0.6, 0.4]);
    expect(logit(p)).toBeCloseTo(mean, 12);
  });

  test.each([
    ['scales raw answers to 1 first: 60 and 42 percent are 58.8 and 41.2', [[0.6, 0.42]], 0.6 / 1.02],
    [
      'treats certainty about one of two as 99 %',
      [
        [1, 0],
        [1, 0],
      ],
      0.99,
    ],
    [
      'lets a certain member count no more than that',
      [
        [1, 0],
        [0.5, 0.5],
      ],
      1 / (1 + 99 ** -0.5),
    ],
    [
      'does not raise many long shots at the expense of the favourite',
      [[0.6, 0.2, ...Array.from({ length: 38 }, () => 0.2 / 38)]],
      0.6,
    ],
  ])('%s', (_, rows, first) => {
    expect(exclusively(...rows)[0]).toBeCloseTo(first, 12);
  });

  test('gives no member a veto', () => {
    const three = [0.4, 0.3, 0.3];
    expect(exclusively(three, three, three, [0.6, 0.4, 0])[2]).toBeGreaterThan(0.1);
  });
});

test('independent markets are pooled one by one', () => {
  const both = independently([0.9, 0.2], [0.8, 0.4]);
  expect(both[0]).toBe(independently([0.9], [0.8])[0]);
  expect(sum(both)).toBeGreaterThan(1);
});

test('full weight on one member gives that member’s forecast, and a pool without members throws', () => {
  expect(pool([[0.3], [0.8]], { exclusive: false, weights: [1, 0] })[0]).toBeCloseTo(0.3, 12);
  expect(() => exclusively()).toThrow(RangeError);
});

describe('on a ladder', () => {
  test('neighbours that break the order get their mean, all others keep every bit, and one without a probability orders nothing', () => {
    const made = makeMonotone([0.1 + 0.2, 0.5, 0.6, 0.1, 0.9], [[1, 2, 0, 3]]);
    expect(made).toEqual([0.1 + 0.2, 0.55, 0.55, 0.1, 0.9]);
    expect(makeMonotone([0.4, null, 0.6], [[0, 1, 2]])).toEqual([0.5, null, 0.5]);
  });

  test('the result falls along the ladder, keeps its sum, and is a fixed point', () => {
    const thousandths = fc.integer({ min: 0, max: 1_000 }).map(n => n / 1_000);
    fc.assert(
      fc.property(fc.array(thousandths, { minLength: 2, maxLength: 12 }), given => {
        const ladder = [[...given.keys()]];
        const made = makeMonotone(given, ladder);
        const again = makeMonotone(made, ladder);
        for (const [index, p] of made.entries()) {
          expect(p).toBeLessThanOrEqual((made[index - 1] ?? 1) + 1e-12);
          expect(again[index]).toBeCloseTo(p, 12);
        }
        expect(sum(made)).toBeCloseTo(sum(given), 9);
      }),
    );
  });
});
