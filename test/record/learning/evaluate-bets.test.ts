import { describe, expect, test } from '@jest/globals';
import type { ResolvedQuestion } from '../../../record/learning/evaluate.js';
import { evaluateBets } from '../../../record/learning/evaluate-bets.js';

/** The council says 60 %, so that a market at 50 % is in no conflict with it. */
function question(change: Partial<ResolvedQuestion> = {}): ResolvedQuestion {
  return { id: 'q', outcome: 1, market: 0.5, forecasts: [0.6, 0.6], ...change };
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
    const { by_kind } = evaluateBets([no, { ...no, id: 'r', outcome: 1 }], [0.4, 0.4]);
    expect(by_kind.edge).toMatchObject({ n: 2, claimed_win_rate: 0.6, actual_win_rate: 0.5 });
    expect(by_kind.edge.actual_minus_claimed).toBeCloseTo(-0.1, 9);
    expect(by_kind.edge.realised_return_per_dollar).toBeCloseTo((1 / 0.51 - 1 - 1) / 2, 6);
  });

  test('are those that the rules of a report allow', () => {
    const bets = (one: ResolvedQuestion, estimate: number | null) => {
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
    const same = [1, 2, 3].map(index => question({ id: `q${index}`, event: 'e' }));
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
});
