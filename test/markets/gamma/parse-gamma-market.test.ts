import { describe, expect, test } from '@jest/globals';
import type { Resolution } from '../../../council/event.js';
import { parseGammaEvent } from '../../../markets/gamma/parse-gamma-event.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

describe('a closed market', () => {
  test('is won by the side with the final price 1', () => {
    expect(resolutionOf({ outcomePrices: '["1", "0"]' })).toBe('yes');
    expect(resolutionOf({ outcomePrices: '["0", "1"]' })).toBe('no');
    expect(resolutionOf({ outcomePrices: '["0.9995", "0.0005"]' })).toBe('yes');
  });

  test.each(['["0.998", "0.002"]', '["0.999", "0.002"]', '["0.584", "0.416"]', '["0", "0"]', '["1", "1"]'])(
    'has no winner at %s',
    outcomePrices => {
      expect(resolutionOf({ outcomePrices })).toBe('void');
    },
  );

  test('is fifty_fifty if both sides are paid half', () => {
    expect(resolutionOf({ outcomePrices: '["0.5", "0.5"]' })).toBe('fifty_fifty');
    const proposed = { umaResolutionStatus: 'proposed', outcomePrices: '["0.5", "0.5"]' };
    expect(resolutionOf(proposed)).toBe('unresolved');
  });

  test('has no winner with more than two outcomes', () => {
    expect(resolutionOf({ outcomes: '["A", "B", "C"]', outcomePrices: '["1", "0", "0"]' })).toBe('void');
  });

  test('is not won by a last trade at 1', () => {
    expect(resolutionOf({ outcomePrices: '["0", "1"]', lastTradePrice: 1 })).toBe('no');
    expect(resolutionOf({ outcomePrices: undefined, lastTradePrice: 1 })).toBe('unresolved');
  });

  test('is disputed while the oracle’s answer is, whatever its prices', () => {
    expect(resolutionOf({ umaResolutionStatus: 'disputed', outcomePrices: '["1", "0"]' })).toBe('disputed');
    expect(
      resolutionOf({ umaResolutionStatuses: '["proposed", "disputed"]', outcomePrices: '["1", "0"]' }),
    ).toBe('disputed');
  });

  test('is unresolved, not void, while an answer is only proposed', () => {
    expect(resolutionOf({ umaResolutionStatus: 'proposed', outcomePrices: '["0.6", "0.4"]' })).toBe(
      'unresolved',
    );
    expect(resolutionOf({ umaResolutionStatus: 'proposed', outcomePrices: '["1", "0"]' })).toBe('yes');
  });

  test('is resolved by its summary even if its history ends with a proposal', () => {
    const oracle = { umaResolutionStatus: 'resolved', umaResolutionStatuses: '["proposed"]' };
    expect(resolutionOf({ ...oracle, outcomePrices: '["0.5", "0.5"]' })).toBe('fifty_fifty');
  });

  test.each([undefined, 'not json', '["1"]extra', '["", ""]', '{}'])(
    'is unresolved with the invalid prices %s',
    outcomePrices => {
      expect(resolutionOf({ outcomePrices })).toBe('unresolved');
    },
  );
});

test('an open market is unresolved at any price, even after its end date', () => {
  const market = { closed: false, outcomePrices: '["1", "0"]', endDate: '2020-01-01T00:00:00Z' };
  expect(resolutionOf(market)).toBe('unresolved');
});

function resolutionOf(market: Record<string, unknown>): Resolution | undefined {
  const raw = gammaEvent({ markets: [gammaMarket({ closed: true, ...market })] });
  return parseGammaEvent(raw)?.markets[0]?.resolution;
}
