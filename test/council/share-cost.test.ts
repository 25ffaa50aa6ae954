import { expect, test } from '@jest/globals';
import { shareCost } from '../../council/share-cost.js';
import { market } from './fixtures.js';

const canada = market({
  name: 'Canada',
  bestBid: 0.55,
  bestAsk: 0.56,
  takerFee: { rate: 0.03, exponent: 1 },
});

test('YES costs the ask and the fee, NO costs 1 − bid and the fee', () => {
  expect(shareCost(canada, 'BUY_YES')).toBeCloseTo(0.567392, 12);
  expect(shareCost(canada, 'BUY_NO')).toBeCloseTo(0.457425, 12);
});

test('a side nobody offers has no cost', () => {
  expect(shareCost({ ...canada, bestAsk: null }, 'BUY_YES')).toBeNull();
  expect(shareCost({ ...canada, bestBid: 0 }, 'BUY_NO')).toBeNull();
  expect(shareCost({ ...canada, status: 'closed' }, 'BUY_YES')).toBeNull();
});
