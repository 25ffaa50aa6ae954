import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { blend, consensus, memberForecasts, pool, twoSides } from '../../../council/conclusion/consensus.js';
import { outcomeSet } from '../../../council/market/outcome-set.js';
import { roundDistribution } from '../../../council/numbers.js';
import { event, opinion, priced, review } from '../fixtures.js';

const logit = (p: number) => Math.log(p / (1 - p));

test('the blend is 20 % council and 80 % market in logits', () => {
  const [p] = blend([0.8], [0.5], false);
  expect(logit(p ?? 0)).toBeCloseTo(0.2 * logit(0.8), 12);
});

test('a blend of two equal distributions is the same distribution', () => {
  const both = blend([0.5, 0.3, 0.2], [0.5, 0.3, 0.2], true);
  expect(both[0]).toBeCloseTo(0.5, 12);
  expect(both.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
});

const member = (model: 'claude' | 'gpt', ...fractions: number[]) => ({ model, fractions, confidence: 60 });

test('a published consensus on exclusive outcomes adds up to exactly 100', () => {
  const { percents } = consensus(twoSides, [member('claude', 0.5, 0.3, 0.2), member('gpt', 0.4, 0.35, 0.27)]);
  expect(percents.reduce((sum, p) => sum + Math.round(p * 10), 0)).toBe(1_000);
});

test('independent questions are rounded one by one', () => {
  expect(
    consensus({ exclusive: false, ladders: [] }, [member('claude', 0.9, 0.8), member('gpt', 0.9, 0.8)])
      .percents,
  ).toEqual([90, 80]);
});

const set = outcomeSet(event([priced('Will it rain?', 0.4)]));

test('the revised forecast counts, or the original one if the review failed', () => {
  const opinions = {
    gpt: opinion({ Yes: 70, No: 30 }),
    claude: opinion({ No: 40, Yes: 60 }, { confidence: 80 }),
  };
  const reviews = { gpt: review(['claude'], { Yes: 65, No: 35 }, { revisedConfidence: 50 }) };
  expect(memberForecasts(set, opinions, reviews)).toEqual([
    { model: 'claude', fractions: [0.6, 0.4], first: [0.6, 0.4], confidence: 80, firstConfidence: 80 },
    { model: 'gpt', fractions: [0.65, 0.35], first: [0.7, 0.3], confidence: 50, firstConfidence: 60 },
  ]);
});

test('a review by a model without an opinion does not count', () => {
  expect(memberForecasts(set, {}, { gpt: review(['claude'], { Yes: 65, No: 35 }) })).toEqual([]);
});

test('a missing outcome throws instead of getting a default number', () => {
  expect(() => memberForecasts(set, { gpt: opinion({ Yes: 100 }) }, {})).toThrow(RangeError);
});

const probability = fc.double({ min: 0, max: 1, noNaN: true });

/** 1 to 4 members over 2 to 12 outcomes, including zeros and ones; every member has an opinion. */
const council = fc.integer({ min: 2, max: 12 }).chain(outcomes =>
  fc.array(
    fc
      .array(fc.oneof(probability, fc.constantFrom(0, 1)), { minLength: outcomes, maxLength: outcomes })
      .filter(row => row.some(p => p > 1e-3)),
    { minLength: 1, maxLength: 4 },
  ),
);

describe.each([true, false])('exclusive: %s', exclusive => {
  test('the order of the members does not change a bit', () => {
    fc.assert(
      fc.property(
        council.chain(rows =>
          fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
        ),
        ([rows, shuffled]) => {
          expect(pool(shuffled, { exclusive })).toEqual(pool(rows, { exclusive }));
        },
      ),
    );
  });

  test('the result is a probability for any input', () => {
    fc.assert(
      fc.property(council, rows => {
        for (const p of pool(rows, { exclusive })) {
          expect(p).toBeGreaterThan(0);
          expect(p).toBeLessThan(1);
        }
      }),
    );
  });

  test('raising a member’s probability never lowers the pool', () => {
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
  test('adds up to 1', () => {
    fc.assert(
      fc.property(council, rows => {
        expect(pool(rows, { exclusive: true }).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
      }),
    );
  });

  test('of unanimous members publishes their forecast', () => {
    const tenths = fc
      .array(fc.integer({ min: 10, max: 400 }), { minLength: 2, maxLength: 12 })
      .map(weights => roundDistribution(weights))
      .filter(percents => percents.every(p => p >= 200 * (0.01 / percents.length) && p <= 99));
    fc.assert(
      fc.property(tenths, fc.integer({ min: 1, max: 4 }), (percents, members) => {
        const rows = Array.from({ length: members }, () => percents.map(p => p / 100));
        expect(roundDistribution(pool(rows, { exclusive: true }))).toEqual(percents);
      }),
    );
  });

  test('of two outcomes is the mean of the logits', () => {
    const mean = (logit(0.3) + logit(0.8) + logit(0.6)) / 3;
    const [p] = pool(
      [
        [0.3, 0.7],
        [0.8, 0.2],
        [0.6, 0.4],
      ],
      { exclusive: true },
    );
    expect(p).toBeCloseTo(1 / (1 + Math.exp(-mean)), 12);
  });

  test('scales raw answers to 1 first: 60 and 42 percent are 58.8 and 41.2', () => {
    expect(pool([[0.6, 0.42]], { exclusive: true })[0]).toBeCloseTo(0.6 / 1.02, 12);
  });

  test('treats certainty about one of two as 99 %', () => {
    expect(
      pool(
        [
          [1, 0],
          [1, 0],
        ],
        { exclusive: true },
      )[0],
    ).toBeCloseTo(0.99, 12);
    expect(
      pool(
        [
          [1, 0],
          [0.5, 0.5],
        ],
        { exclusive: true },
      )[0],
    ).toBeCloseTo(0.90867, 5);
  });

  test('does not raise many long shots at the expense of the favourite', () => {
    const row = [0.6, 0.2, ...Array.from({ length: 38 }, () => 0.2 / 38)];
    expect(pool([row, row], { exclusive: true })[0]).toBeCloseTo(0.6, 12);
  });

  test('gives no member a veto', () => {
    const [, , third] = pool(
      [
        [0.4, 0.3, 0.3],
        [0.4, 0.3, 0.3],
        [0.4, 0.3, 0.3],
        [0.6, 0.4, 0],
      ],
      { exclusive: true },
    );
    expect(third).toBeGreaterThan(0.1);
  });
});

test('independent markets are pooled one by one', () => {
  const both = pool(
    [
      [0.9, 0.2],
      [0.8, 0.4],
    ],
    { exclusive: false },
  );
  const alone = pool([[0.9], [0.8]], { exclusive: false });
  expect(both[0]).toBe(alone[0]);
  expect(both.reduce((a, b) => a + b, 0)).toBeGreaterThan(1);
});

test('full weight on one member gives that member’s forecast', () => {
  expect(pool([[0.3], [0.8]], { exclusive: false, weights: [1, 0] })[0]).toBeCloseTo(0.3, 12);
});

test('a pool without members throws', () => {
  expect(() => pool([], { exclusive: true })).toThrow(RangeError);
});
