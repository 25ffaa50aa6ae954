import { describe, expect, test } from '@jest/globals';
import { conclude } from '../../../council/conclusion/conclude.js';
import { event, market, priced } from '../fixtures.js';
import { input, percents, weights } from './conclude-input.js';

describe('a report', () => {
  const { runtime, action } = conclude(input());

  test('publishes the estimate beside council and market, with the weights that computed it', () => {
    expect(runtime.market_probabilities).toEqual(percents);
    expect(runtime.market_implied_probabilities).toEqual({ Canada: 55.8, Draw: 26.6, 'South Africa': 17.6 });
    expect(runtime.estimate).toMatchObject({ method: 'estimate/1', weights });
    expect(runtime.estimate_missing).toBeNull();
  });

  test('prices its bets by the estimate, and shows the council’s number beside', () => {
    const canada = runtime.estimate?.probabilities['Canada'];
    expect(runtime.top_bets).toMatchObject([
      { market: 'Canada', kind: 'pick', consensus_probability: 62, win_probability: canada },
    ]);
    expect(canada).not.toBe(62);
    expect(action).toBe('SKIP');
  });

  test('buys where the estimate, and not only the council, is far enough above the price', () => {
    const bold = conclude(
      input({ weights: { ...weights, coefficients: { ...weights.coefficients, council: 1 } } }),
    );
    expect(bold.action).toBe('BUY_YES');
    expect(bold.runtime.best_edge).toMatchObject({ kind: 'edge', market: 'Canada' });
  });
});

test('without a firm price there is no estimate and no bet, and the report names the reason', () => {
  const stale = event([market({ name: 'Canada', bestBid: null, lastTrade: 0.5 }), priced('Draw', 0.5)]);
  const opinions = Object.fromEntries(
    (['claude', 'gpt'] as const).map(model => [
      model,
      {
        distribution: [
          { outcome: 'Canada', probability: 40 },
          { outcome: 'Draw', probability: 60 },
        ],
        confidence: 70,
        rationale: 'Base rates.',
        evidence: [],
      },
    ]),
  );
  const { runtime } = conclude(input({ event: stale, opinions, weights: null }));
  expect(runtime).toMatchObject({ estimate: null, top_bets: [], best_edge: null });
  expect(runtime.estimate_missing).toBe('no_firm_price');
});

test('in conflict there is an estimate, but no bet', () => {
  const favourite = { Canada: 20, Draw: 70, 'South Africa': 10 };
  const opinion = { confidence: 70, rationale: 'Base rates.', evidence: [] };
  const distribution = Object.entries(favourite).map(([outcome, probability]) => ({ outcome, probability }));
  const { runtime } = conclude(
    input({ opinions: { claude: { ...opinion, distribution }, gpt: { ...opinion, distribution } } }),
  );
  expect(runtime).toMatchObject({ consensus_market_conflict: true, top_bets: [] });
  expect(runtime.estimate).not.toBeNull();
});
