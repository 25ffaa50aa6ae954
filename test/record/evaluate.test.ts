import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { estimate as estimateBy } from '../../council/estimate/estimate.js';
import { shippedWeights } from '../../council/estimate/first-weights.js';
import { evaluate as evaluateAll } from '../../record/learning/evaluate.js';
import { estimateQuestions } from '../../record/learning/question-sets.js';
import { questionsOf, type ResolvedReport } from '../../record/learning/resolved-reports.js';
import { type YesNoQuestion, yesEstimates, yesNo } from './resolved-reports.js';

function question(overrides: Partial<YesNoQuestion> = {}): YesNoQuestion {
  return { event: 'q', outcome: 1, market: null, forecasts: [0.6, 0.8], ...overrides };
}

const names = ['ada', 'bela'];

function evaluate(
  forecasters: readonly string[],
  questions: readonly YesNoQuestion[],
  estimates: readonly (number | null)[] = questions.map(() => null),
) {
  return evaluateAll(forecasters, questions.map(yesNo), yesEstimates(estimates));
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
  const evaluation = evaluate(names, [question(), question({ event: 'r', forecasts: [0.9, null] })]);
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
    question({ event: 'clash', market: 0.2, forecasts: [0.7, 0.7] }),
    question({ event: 'agree', market: 0.6, forecasts: [0.7, 0.7] }),
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
    question({ event: 'both', market: 0.5, forecasts: [0.6, 0.6] }),
    question({ event: 'no price', forecasts: [0.1, 0.1] }),
  ]);
  expect(council.minus_market).toMatchObject({ n: 1, brier: expect.closeTo(0.16 - 0.25, 12) });
  expect(forecasters['ada']?.minus_council).toMatchObject({ n: 2, brier: expect.closeTo(0, 12) });
});

test('the estimate is scored where there is one, and compared with the blend', () => {
  const table = [question({ market: 0.5 }), question({ event: 'no price' })];
  const { estimate, blend } = evaluate(names, table, [0.9, null]);
  expect(estimate).toMatchObject({ n: 1, brier: expect.closeTo(0.01, 12) });
  expect(estimate.minus_blend?.brier).toBeCloseTo(0.01 - (blend.brier ?? 0), 12);
  expect(evaluate(names, table).estimate).toMatchObject({ n: 0, brier: null, minus_blend: null });
});

test('figures by checkpoint are those of the questions at it', () => {
  const early = question({ event: 'e', checkpoint: '1', market: 0.5 });
  const late = question({ event: 'e', checkpoint: '5', market: 0.9, forecasts: [0.9, null] });
  const { by_checkpoint } = evaluate(names, [late, early, question({ event: 'c' })], [null, 0.7, null]);
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
    [0, 1].map(q => question({ event: `${p}${q}`, forecasts: [p, q], market: p })),
  );
  const text = JSON.stringify(evaluate(names, certain));
  expect(text).not.toMatch(/NaN|Infinity/);
  expect(JSON.parse(text).forecasters.ada.log_score).toBeGreaterThan(0);
});

const whoWins: ResolvedReport = {
  event: 'who wins',
  checkpoint: null,
  exclusive: true,
  markets: [
    { name: 'Red', outcome: 0, price: 0.5 },
    { name: 'Blue', outcome: 1, price: 0.3 },
    { name: 'Green', outcome: 0, price: null },
  ],
  forecasts: [
    [0.5, 0.4, 0.1],
    [0.3, 0.6, 0.1],
    [0.1, 0.8, 0.1],
  ],
};
const three = ['ada', 'bela', 'cleo'];

test('a set of outcomes is one question, scored over all of them, and its prices are a distribution if they add up', () => {
  const priced = {
    ...whoWins,
    markets: whoWins.markets.map(each => ({ ...each, price: each.price ?? 0.16 })),
  };
  const { questions, multi_outcome, market, forecasters } = evaluateAll(three, [priced], [null]);
  expect({ questions, multi_outcome }).toEqual({ questions: 1, multi_outcome: 1 });
  const [p, q, r] = [0.5, 0.3, 0.16].map(price => price / 0.96) as [number, number, number];
  expect(market.brier).toBeCloseTo((p ** 2 + (1 - q) ** 2 + r ** 2) / 2, 12);
  expect(market.log_score).toBeCloseTo(-Math.log(q), 12);
  expect(forecasters['ada']?.brier).toBeCloseTo((0.5 ** 2 + 0.6 ** 2 + 0.1 ** 2) / 2, 12);
  expect(evaluateAll(three, [whoWins], [null])).toMatchObject({
    market: { n: 0 },
    blend: { n: 0 },
    council: { n: 1 },
  });
});

test('a set of outcomes is pooled and estimated as a report on it is, in whatever order its lines come', () => {
  const priced = {
    ...whoWins,
    markets: whoWins.markets.map(each => ({ ...each, price: each.price ?? 0.2 })),
  };
  const means = [0, 1, 2].map(
    index => priced.forecasts.reduce((product, row) => product * (row?.[index] ?? 0), 1) ** (1 / 3),
  );
  const council = means.map(each => each / means.reduce((total, other) => total + other, 0));
  const [question] = questionsOf(priced);
  expect(question?.council).toEqual(council.map(p => expect.closeTo(p, 12)));
  const rows = { council, market: [0.5, 0.3, 0.2], members: priced.forecasts.map(row => row ?? []) };
  expect(estimateQuestions(questionsOf(priced), shippedWeights)[0]).toEqual(
    estimateBy(rows, shippedWeights).map(p => expect.closeTo(p, 12)),
  );
});

test('each independent market is a question of its own, of one event, and a ladder is monotone', () => {
  const ladder: ResolvedReport = {
    ...whoWins,
    exclusive: false,
    markets: [
      { name: 'Above 60', outcome: 1, price: 0.8 },
      { name: 'Above 70', outcome: 0, price: null },
    ],
    forecasts: [[0.4, 0.6], [0.4, 0.6], null],
  };
  const questions = questionsOf(ladder);
  expect(questions.map(({ event, happened, market }) => ({ event, happened, market }))).toEqual([
    { event: 'who wins', happened: 0, market: [0.8, expect.closeTo(0.2, 12)] },
    { event: 'who wins', happened: 1, market: null },
  ]);
  const [lower, higher] = questions.map(({ council }) => council?.[0] ?? Number.NaN);
  expect(lower).toBeGreaterThanOrEqual(higher ?? 1);
  expect(evaluateAll(three, [ladder], [null, null])).toMatchObject({
    questions: 2,
    multi_outcome: 0,
    council: { n: 2, brier_interval_95: null },
    market: { n: 1 },
    forecasters: { cleo: { n: 0 } },
  });
});

test('the council without a forecaster is compared where it answered and a council is left', () => {
  const reports = [
    yesNo(question({ event: 'a', forecasts: [0.9, 0.6, 0.6] })),
    yesNo(question({ event: 'b', forecasts: [null, 0.6, 0.6] })),
    yesNo(question({ event: 'c', forecasts: [0.9, 0.6, null] })),
    whoWins,
  ];
  const { without } = evaluateAll(three, reports, [null, null, null, null]);
  expect(without['ada']?.n).toBe(2);
  expect(without['cleo']?.n).toBe(2);
  const onlyFirst = evaluateAll(three, reports.slice(0, 1), [null]);
  const all = onlyFirst.council.brier ?? Number.NaN;
  expect(onlyFirst.without['ada']).toEqual({
    n: 1,
    brier: expect.closeTo(0.4 ** 2 - all, 12),
    interval_95: null,
  });
  expect(evaluateAll(names, [yesNo(question())], [null]).without).toEqual({ ada: null, bela: null });
});

test('in any table a score is between 0 and 1 and inside its interval, whatever the order of the forecasters', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const one = fc.record({
    event: fc.constantFrom('a', 'b', 'c', 'd'),
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
