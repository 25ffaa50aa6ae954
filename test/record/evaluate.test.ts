import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evaluate as evaluateAll, type ResolvedQuestion } from '../../record/learning/evaluate.js';

function question(overrides: Partial<ResolvedQuestion> = {}): ResolvedQuestion {
  return { id: 'q', outcome: 1, market: null, forecasts: [0.6, 0.8], ...overrides };
}

const names = ['ada', 'bela'];

function evaluate(
  forecasters: readonly string[],
  questions: readonly ResolvedQuestion[],
  estimates: readonly (number | null)[] = questions.map(() => null),
) {
  return evaluateAll(forecasters, questions, estimates);
}

test('the council is the mean of logits of the given forecasts', () => {
  const { council, mean, forecasters } = evaluate(names, [question()]);
  const odds = Math.sqrt((0.6 / 0.4) * (0.8 / 0.2));
  const p = odds / (1 + odds);
  expect(council.brier).toBeCloseTo((1 - p) ** 2, 12);
  expect(council.log_score).toBeCloseTo(-Math.log(p), 12);
  expect(mean.brier).toBeCloseTo(0.09, 12);
  expect(forecasters['ada']).toMatchObject({ n: 1, brier: expect.closeTo(0.16, 12) });
});

test('a question with fewer than two forecasts has no council and is counted', () => {
  const evaluation = evaluate(names, [question(), question({ id: 'r', forecasts: [0.9, null] })]);
  expect(evaluation).toMatchObject({ questions: 2, below_quorum: 1 });
  expect(evaluation.council.n).toBe(1);
  expect(evaluation.mean.n).toBe(1);
  expect(evaluation.forecasters['ada']?.n).toBe(2);
});

test('the blend is 20 % council and 80 % market in logits', () => {
  const { blend } = evaluate(names, [question({ market: 0.5, forecasts: [0.8, 0.8] })]);
  const odds = 4 ** 0.2;
  expect(blend.brier).toBeCloseTo((1 - odds / (1 + odds)) ** 2, 12);
});

test('the headline is the market’s in conflict, otherwise the council’s', () => {
  const { headline, conflicts } = evaluate(names, [
    question({ id: 'clash', market: 0.2, forecasts: [0.7, 0.7] }),
    question({ id: 'agree', market: 0.6, forecasts: [0.7, 0.7] }),
  ]);
  expect(conflicts).toBe(1);
  expect(headline.brier).toBeCloseTo((0.8 ** 2 + 0.3 ** 2) / 2, 12);
});

test('without a price, market, blend and headline have no figures', () => {
  const { market, blend, headline, council } = evaluate(names, [question()]);
  const nothing = { n: 0, brier: null, brier_interval_95: null, log_score: null };
  for (const one of [market, blend, headline]) expect(one).toMatchObject(nothing);
  expect(council.minus_market).toBeNull();
});

test('differences count only questions that both answered', () => {
  const { council, forecasters } = evaluate(names, [
    question({ id: 'both', market: 0.5, forecasts: [0.6, 0.6] }),
    question({ id: 'no price', forecasts: [0.1, 0.1] }),
  ]);
  expect(council.minus_market).toMatchObject({ n: 1, brier: expect.closeTo(0.16 - 0.25, 12) });
  expect(forecasters['ada']?.minus_council).toMatchObject({ n: 2, brier: expect.closeTo(0, 12) });
});

test('the estimate is scored where there is one, and compared with the blend', () => {
  const table = [question({ market: 0.5 }), question({ id: 'no price' })];
  const { estimate, blend } = evaluate(names, table, [0.9, null]);
  expect(estimate).toMatchObject({ n: 1, brier: expect.closeTo(0.01, 12) });
  expect(estimate.minus_blend?.brier).toBeCloseTo(0.01 - (blend.brier ?? 0), 12);
  expect(evaluate(names, table).estimate).toMatchObject({ n: 0, brier: null, minus_blend: null });
});

test('figures by checkpoint are those of the questions at it', () => {
  const early = question({ id: 'a', event: 'e', checkpoint: '1', market: 0.5 });
  const late = question({ id: 'b', event: 'e', checkpoint: '5', market: 0.9, forecasts: [0.9, null] });
  const { by_checkpoint } = evaluate(names, [late, early, question({ id: 'c' })], [null, 0.7, null]);
  expect(Object.keys(by_checkpoint)).toEqual(['1', '5']);
  expect(by_checkpoint['1']).toMatchObject({ n: 1, market: 0.25, estimate: expect.closeTo(0.09, 12) });
  expect(by_checkpoint['5']).toEqual({
    n: 1,
    council: null,
    market: expect.closeTo(0.01, 12),
    blend: null,
    estimate: null,
  });
  expect(evaluate(names, [question()]).by_checkpoint).toEqual({});
});

test('a certain forecast, right or wrong, makes no figure infinite', () => {
  const certain = [0, 1].flatMap(p =>
    [0, 1].map(q => question({ id: `${p}${q}`, forecasts: [p, q], market: p })),
  );
  const text = JSON.stringify(evaluate(names, certain));
  expect(text).not.toMatch(/NaN|Infinity/);
  expect(JSON.parse(text).forecasters.ada.log_score).toBeGreaterThan(0);
});

test('in any table a score is between 0 and 1 and inside its interval, whatever the order of the forecasters', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const one = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    outcome: fc.constantFrom<0 | 1>(0, 1),
    market: fc.option(share),
    forecasts: fc.tuple(fc.option(share), fc.option(share)),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), table => {
      const { council, market, blend, headline, mean, forecasters } = evaluate(names, table);
      for (const each of [council, market, blend, headline, mean, ...Object.values(forecasters)]) {
        if (each.brier === null) continue;
        expect(each.brier).toBeGreaterThanOrEqual(0);
        expect(each.brier).toBeLessThanOrEqual(1);
        const [low, high] = each.brier_interval_95 ?? [0, 1];
        expect(low).toBeLessThanOrEqual(high);
      }
      const mirrored = table.map(each => ({ ...each, forecasts: each.forecasts.toReversed() }));
      expect(evaluate(names, mirrored).council).toEqual(council);
    }),
    { numRuns: 20 },
  );
});
