import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readForecasts } from '../../cli/commands/grading/read-forecasts.js';
import { shippedWeights } from '../../council/estimate/first-weights.js';
import { finish } from '../../council/estimate/steps.js';
import { blendCoefficients } from '../../council/estimate/weights.js';
import { at, sum } from '../../council/numbers.js';
import { rowsSha256 } from '../../db/digests.js';
import { evaluate } from '../../record/learning/evaluate.js';
import { evaluateBets } from '../../record/learning/evaluate-bets.js';
import { fitShrunken } from '../../record/learning/fit-weights.js';
import {
  estimateQuestions,
  estimateQuestionsOutOfFold,
  questionSet,
} from '../../record/learning/question-sets.js';
import { questionsOf } from '../../record/learning/resolved-reports.js';
import { canonicalOrder, trainingRow } from '../../record/learning/resolved-sets.js';

/**
 * Real resolved questions, read from outside the project because they may not be copied into it. The expected
 * figures are those of the data's own README, computed there without this code.
 */
const folder = '../shared/data/forecasts';
const describeWithData = existsSync(folder) ? describe : describe.skip;

function readFile(file: string) {
  return readForecasts(readFileSync(`${folder}/${file}`, 'utf8'));
}

describeWithData('on 1,943 forecasts of 531 questions (Halawi 2024)', () => {
  /**
   * The estimates are out of fold; every other figure is the same with any estimates. The forecasters are not
   * graded by name, because no test reads their grades.
   */
  const halawi = once(() => {
    const { reports } = readFile('halawi2024-train.csv');
    const questions = reports.flatMap(questionsOf);
    const estimates = finish(estimateQuestionsOutOfFold(questions, blendCoefficients));
    return { ...evaluate([], reports, estimates), bets: evaluateBets(reports, estimates) };
  });

  test('the council scores as the mean of logits does, and beats the arithmetic mean', () => {
    const { council, mean } = halawi();
    expect(council.n).toBe(1_943);
    expect(council.brier).toBeCloseTo(0.1765, 4);
    expect(mean.brier).toBeCloseTo(0.1775, 4);
    expect(mean.minus_council?.interval_95?.[0]).toBeGreaterThan(0);
  });

  test('a blend of 20 % council and 80 % market beats the market alone by more than chance', () => {
    const { market, blend } = halawi();
    expect(market.brier).toBeCloseTo(0.1551, 4);
    expect(blend.brier).toBeCloseTo(0.1506, 4);
    expect(blend.minus_market?.interval_95?.[1]).toBeLessThan(0);
  });

  test('following the market in conflict makes the headline better than the council by more than chance', () => {
    const { conflicts, headline } = halawi();
    expect(conflicts).toBe(542);
    expect(headline.brier).toBeCloseTo(0.1603, 4);
    expect(headline.minus_council?.interval_95?.[1]).toBeLessThan(0);
  });

  test('the estimate, out of fold, beats the blend, and its bets win as often as they claim', () => {
    const { estimate, bets } = halawi();
    expect(estimate.brier).toBeCloseTo(0.1481, 4);
    expect(estimate.minus_blend?.brier).toBeLessThan(-0.002);
    expect(estimate.minus_market?.interval_95?.[1]).toBeLessThan(0);
    const { by_kind, ...all } = bets;
    for (const kind of [all, by_kind.edge, by_kind.pick]) {
      expect(Math.abs(kind.actual_minus_claimed ?? 1)).toBeLessThan(0.03);
      expect(kind.realised_return_per_dollar).toBeGreaterThan(0);
    }
    expect(by_kind.edge).toMatchObject({ n: 244, events: 158 });
  });

  test('the weights that the service ships with are those that `weights fit` finds', () => {
    const sets = readFile('halawi2024-train.csv')
      .reports.flatMap(questionsOf)
      .map(questionSet)
      .filter(set => set !== null);
    expect(rowsSha256(sets)).toBe(shippedWeights.trained_on.rows_sha256);
    const rows = canonicalOrder(sets).map(index => trainingRow(at(sets, index), shippedWeights.kind));
    expect(finish(fitShrunken(rows, blendCoefficients))).toEqual({
      coefficients: shippedWeights.coefficients,
      prior: shippedWeights.prior,
      lambda: shippedWeights.lambda,
    });
  });

  test('intervals treat the checkpoints of one question as one piece of evidence', () => {
    const { forecasters, reports } = readFile('halawi2024-train.csv');
    const { council } = halawi();
    expect(forecasters).toEqual(['base1', 'base2', 'base3', 'ft1', 'fto1', 'fto2', 'fto3']);
    expect(new Set(reports.map(({ event }) => event)).size).toBe(531);
    const byRow = evaluate(
      [],
      reports.map((report, index) => ({ ...report, event: String(index) })),
      reports.map(() => null),
    );
    expect(byRow.council.brier).toBe(council.brier);
    expect(width(council.brier_interval_95)).toBeGreaterThan(1.5 * width(byRow.council.brier_interval_95));
  });
});

describeWithData('on 167 questions with four models (Lu 2025)', () => {
  const lu = once(() => {
    const { forecasters, reports } = readFile('lu2025-even.csv');
    const questions = reports.flatMap(questionsOf);
    return evaluate(forecasters, reports, estimateQuestions(questions, shippedWeights));
  });

  test('the council scores as the mean of logits does', () => {
    expect(lu().council.brier).toBeCloseTo(0.1907, 4);
  });

  test('a forecaster is scored only on the questions that it answered', () => {
    const { forecasters } = lu();
    expect(forecasters['gpt4o']?.n).toBe(167);
    expect(forecasters['deepseekv3']?.n).toBeLessThan(167);
  });

  test('each member is compared with the council without it, on the questions that it answered', () => {
    const { without, forecasters } = lu();
    expect(Object.keys(without)).toEqual(['gpt4o', 'sonnet35', 'haiku35', 'deepseekv3']);
    for (const [name, difference] of Object.entries(without)) {
      expect(difference?.n).toBe(forecasters[name]?.n);
      expect(difference?.interval_95?.[0]).toBeLessThan(difference?.interval_95?.[1] ?? 0);
    }
  });
});

describeWithData('on a ladder of 15 independent markets (Kalshi, quotes and forecasts of one moment)', () => {
  const quotes = once(() => {
    const [, ...lines] = readFileSync('../shared/data/kalshi/ladder.KXAAAGASM-26JUL31.csv', 'utf8')
      .trim()
      .split('\n');
    return lines.map(line => {
      const [name, , outcome, ask, bid, , , trade, agent] = line.split(',');
      return {
        name,
        outcome: Number(outcome),
        price: (Number(ask) + Number(bid)) / 200,
        trade: Number(trade) / 100,
        agent,
      };
    });
  });
  const ladder = (exclusive: 0 | 1) =>
    readForecasts(
      [
        'id,set,exclusive,outcome,market,agent,last',
        ...quotes().map(({ name, outcome, price, agent, trade }) =>
          [name, 'gas', exclusive, outcome, price, agent, trade].join(','),
        ),
      ].join('\n'),
    );

  test('each market is scored as a question of one event', () => {
    const { forecasters, reports } = ladder(0);
    const questions = reports.flatMap(questionsOf);
    const estimates = estimateQuestions(questions, shippedWeights);
    const evaluation = evaluate(forecasters, reports, estimates);
    const errors = quotes().map(({ agent, outcome }) => (Number(agent) - outcome) ** 2);
    expect(evaluation).toMatchObject({
      questions: 15,
      council: { n: 15 },
      market: { n: 15 },
      estimate: { n: 15 },
    });
    expect(evaluation.forecasters['agent']?.brier).toBeCloseTo(sum(errors) / 15, 12);
    const council = questions.map(question => question.council?.[0] ?? Number.NaN);
    expect(council).toEqual([...council].sort((a, b) => b - a));
    expect(evaluateBets(reports, estimates).events).toBeLessThanOrEqual(1);
  });

  test('that is said to be exclusive is refused, because six of its markets happened', () => {
    expect(() => ladder(1)).toThrow('exactly one line of the set gas must be 1, not 6');
  });
});

/** An evaluation draws thousands of samples: the tests of a file share one. */
function once<Result>(compute: () => Result): () => Result {
  let computed: { readonly result: Result } | undefined;
  return () => {
    computed ??= { result: compute() };
    return computed.result;
  };
}

function width(interval: readonly [number, number] | null): number {
  return interval === null ? Number.NaN : interval[1] - interval[0];
}
