import { describe, expect, test } from '@jest/globals';
import { evaluateBets as evaluateReports } from '../../../record/learning/evaluate-bets.js';
import { questionsOf, type ResolvedReport } from '../../../record/learning/resolved-reports.js';
import { type YesNoQuestion, yesEstimates, yesNo } from '../resolved-reports.js';

/** The council says 60 %, so that a market at 50 % is in no conflict with it. */
function question(change: Partial<YesNoQuestion> = {}): YesNoQuestion {
  return { event: 'q', outcome: 1, market: 0.5, forecasts: [0.6, 0.6], ...change };
}

function evaluateBets(questions: readonly YesNoQuestion[], estimates: readonly (number | null)[]) {
  return evaluateReports(questions.map(yesNo), yesEstimates(estimates));
}

describe('the bets on resolved questions', () => {
  test('cost the price and one cent, and claim what the estimate says', () => {
    const { by_kind, ...all } = evaluateBets([question()], [0.58]);
    expect(by_kind.edge).toMatchObject({ n: 1, events: 1, claimed_win_rate: 0.58, actual_win_rate: 1 });
    expect(all.claimed_return_per_dollar).toBeCloseTo(0.58 / 0.51 - 1, 6);
    expect(all.realised_return_per_dollar).toBeCloseTo(1 / 0.51 - 1, 6);
    expect(by_kind.pick.n).toBe(0);
  });

  test('on NO cost one cent more than the other side of the price, and win when NO happens', () => {
    const no = question({ outcome: 0, forecasts: [0.42, 0.42] });
    const { by_kind } = evaluateBets([no, { ...no, event: 'r', outcome: 1 }], [0.4, 0.4]);
    expect(by_kind.edge).toMatchObject({ n: 2, claimed_win_rate: 0.6, actual_win_rate: 0.5 });
    expect(by_kind.edge.actual_minus_claimed).toBeCloseTo(-0.1, 9);
    expect(by_kind.edge.realised_return_per_dollar).toBeCloseTo((1 / 0.51 - 1 - 1) / 2, 6);
  });

  test('are those that the rules of a report allow', () => {
    const bets = (one: YesNoQuestion, estimate: number | null) => {
      const { by_kind } = evaluateBets([one], [estimate]);
      return { edge: by_kind.edge.n, pick: by_kind.pick.n };
    };
    const none = { edge: 0, pick: 0 };
    expect(bets(question(), 0.53)).toEqual({ edge: 0, pick: 1 });
    expect(bets(question(), 0.48)).toEqual(none);
    expect(bets(question({ forecasts: [0.8, 0.8] }), 0.7)).toEqual(none);
    expect(bets(question({ market: 0.005, forecasts: [0.1, 0.1] }), 0.1)).toEqual(none);
    expect(bets(question({ market: null }), null)).toEqual(none);
    expect(bets(question({ forecasts: [0.6, null] }), null)).toEqual(none);
  });

  test('of one event are one piece of evidence', () => {
    const same = [1, 2, 3].map(() => question({ event: 'e' }));
    const { n, events, realised_return_interval_95 } = evaluateBets(same, [0.58, 0.58, 0.58]);
    expect({ n, events, realised_return_interval_95 }).toEqual({
      n: 3,
      events: 1,
      realised_return_interval_95: null,
    });
  });

  test('that do not exist have no figures', () => {
    expect(evaluateBets([], [])).toMatchObject({
      n: 0,
      claimed_win_rate: null,
      realised_return_per_dollar: null,
    });
  });

  const whoWins: ResolvedReport = {
    event: 'who wins',
    checkpoint: null,
    exclusive: true,
    markets: [
      { name: 'Red', outcome: 0, price: 0.5 },
      { name: 'Blue', outcome: 1, price: 0.3 },
      { name: 'Green', outcome: 0, price: 0.2 },
    ],
    forecasts: [
      [0.45, 0.38, 0.17],
      [0.45, 0.38, 0.17],
    ],
  };

  test('on a set of outcomes are those of one report: on any of its markets, in whatever order its lines come', () => {
    const { by_kind, n } = evaluateReports([whoWins], [[0.43, 0.39, 0.18]]);
    expect(by_kind.edge).toMatchObject({ n: 2, events: 1, actual_win_rate: 1 });
    expect(by_kind.edge.realised_return_per_dollar).toBeCloseTo((1 / 0.31 + 1 / 0.51) / 2 - 1, 6);
    const turned = {
      ...whoWins,
      markets: whoWins.markets.toReversed(),
      forecasts: whoWins.forecasts.map(row => row?.toReversed() ?? null),
    };
    expect(evaluateReports([turned], [[0.18, 0.39, 0.43]]).by_kind).toEqual(by_kind);
    expect(n).toBeLessThanOrEqual(3);
    expect(
      evaluateReports(
        [
          {
            ...whoWins,
            forecasts: [
              [0.1, 0.8, 0.1],
              [0.1, 0.8, 0.1],
            ],
          },
        ],
        [[0.3, 0.5, 0.2]],
      ).n,
    ).toBe(0);
  });

  test('on independent markets are at most five a report, and none on a market without an estimate', () => {
    const six = [1, 2, 3, 4, 5, 6];
    const independent: ResolvedReport = {
      ...whoWins,
      exclusive: false,
      markets: six.map(index => ({ name: `Team ${index}`, outcome: 1, price: 0.5 })),
      forecasts: [six.map(() => 0.6), six.map(() => 0.6)],
    };
    expect(questionsOf(independent)).toHaveLength(6);
    expect(evaluateReports([independent], yesEstimates(six.map(() => 0.6)))).toMatchObject({
      n: 5,
      actual_win_rate: 1,
    });
    expect(evaluateReports([independent], yesEstimates([0.6, null, null, null, null, null])).n).toBe(1);
  });
});
