import { expect, test } from '@jest/globals';
import { consensus } from '../../council/consensus.js';

const member = (model: 'claude' | 'gpt', ...fractions: number[]) => ({ model, fractions, confidence: 60 });

test('a consensus on exclusive outcomes is published adding up to exactly 100', () => {
  const { percents } = consensus(true, [member('claude', 0.5, 0.3, 0.2), member('gpt', 0.4, 0.35, 0.27)]);
  expect(percents.reduce((sum, p) => sum + Math.round(p * 10), 0)).toBe(1_000);
});

test('independent questions are rounded each by itself and add up to nothing', () => {
  expect(consensus(false, [member('claude', 0.9, 0.8), member('gpt', 0.9, 0.8)]).percents).toEqual([90, 80]);
});
