import { expect, test } from '@jest/globals';
import { gapAuthorText, gapNumbersText, lostGapText } from '../../../contract/report-text/gap-text.js';

const gap = { outcome: 'Above $70', council: 33.4, market: 75, points: 41.6 };

test('a distance to the market names its outcome with both numbers, and says of more than two that it is the widest', () => {
  const ofTwo = { market_gap: gap, market_probabilities: { 'Above $70': 33.4, No: 66.6 } };
  expect(gapNumbersText(ofTwo)).toBe(
    'On “Above $70” the council says 33.4 %, the market 75 %: 41.6 points apart.',
  );
  const ofThree = { market_gap: gap, market_probabilities: { ...ofTwo.market_probabilities, Third: 1 } };
  expect(gapNumbersText(ofThree)).toMatch(/^On “Above \$70”, where they are furthest apart, the council/);
  expect(gapNumbersText({ ...ofTwo, market_gap: null })).toBeNull();
});

test('its explanation names the author and the price in view, or was lost; nothing is said where there is none to give', () => {
  expect(gapAuthorText('gpt', name => name.toUpperCase())).toMatch(/^Written by GPT with the price in view/);
  const without = { market_gap: null };
  expect(lostGapText({ market_gap: gap }, without)).toBe('The explanation was lost.');
  expect(lostGapText(without, without)).toBeNull();
  const reasons = {
    model: 'gpt',
    model_id: '',
    attempts: 1,
    latency_ms: 1,
    market_may_know: '',
    council_may_know: '',
  } as const;
  expect(lostGapText({ market_gap: gap }, { market_gap: reasons })).toBeNull();
});
