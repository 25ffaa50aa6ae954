import { expect, test } from '@jest/globals';
import type { Bet } from '../../council/report.js';
import { verdict } from '../../council/verdict.js';

const bet = (overrides: Partial<Bet>): Bet => ({
  side: 'BUY_YES',
  market: 'A',
  kind: 'edge',
  yes_price: 0.4,
  share_cost: 0.42,
  consensus_probability: 60,
  market_implied_probability: 40,
  edge_points: 20,
  win_probability: 60,
  payout_per_dollar: 1.381,
  expected_return_per_dollar: 0.4286,
  slug: 'a',
  ...overrides,
});

test('the action is the side of the queried market’s edge', () => {
  expect(verdict('A', [bet({ market: 'B' }), bet({ side: 'BUY_NO' })])).toBe('BUY_NO');
});

test('an edge elsewhere, a pick, or no bet is SKIP', () => {
  expect(verdict('A', [bet({ market: 'B' })])).toBe('SKIP');
  expect(verdict('A', [bet({ kind: 'pick' })])).toBe('SKIP');
  expect(verdict('A', [])).toBe('SKIP');
});
