import { expect, test } from '@jest/globals';
import type { Resolution } from '../../../council/event.js';
import { parseGammaEvent } from '../../../markets/polymarket/parse-gamma-event.js';
import { gammaEvent, gammaMarket } from './gamma-fixtures.js';

const won = { outcomePrices: '["1", "0"]' };
const half = { outcomePrices: '["0.5", "0.5"]' };
const proposed = { umaResolutionStatus: 'proposed' };
const trade = { lastTradePrice: 1 };

test.each<[string, changes: Record<string, unknown>, Resolution]>([
  ['is won by the side with the final price 1', won, 'yes'],
  ['is lost at 0', { outcomePrices: '["0", "1"]' }, 'no'],
  ['is won close to 1', { outcomePrices: '["0.9995", "0.0005"]' }, 'yes'],
  ['has no winner further from it', { outcomePrices: '["0.998", "0.002"]' }, 'void'],
  ['has no winner with a loser above 0', { outcomePrices: '["0.999", "0.002"]' }, 'void'],
  ['has no winner between the two', { outcomePrices: '["0.584", "0.416"]' }, 'void'],
  ['has no winner at 0 and 0', { outcomePrices: '["0", "0"]' }, 'void'],
  ['has no winner at 1 and 1', { outcomePrices: '["1", "1"]' }, 'void'],
  ['is fifty_fifty if both sides are paid half', half, 'fifty_fifty'],
  ['is not while that is only proposed', { ...half, ...proposed }, 'unresolved'],
  [
    'has no winner with more than two outcomes',
    { outcomes: '["A", "B", "C"]', outcomePrices: '["1", "0", "0"]' },
    'void',
  ],
  ['is not won by a last trade at 1', { outcomePrices: '["0", "1"]', ...trade }, 'no'],
  ['nor by one without prices', { outcomePrices: undefined, ...trade }, 'unresolved'],
  ['is disputed while the oracle’s answer is', { ...won, umaResolutionStatus: 'disputed' }, 'disputed'],
  [
    'is disputed if the last of its answers is',
    { ...won, umaResolutionStatuses: '["proposed", "disputed"]' },
    'disputed',
  ],
  [
    'is unresolved, not void, while an answer is only proposed',
    { outcomePrices: '["0.6", "0.4"]', ...proposed },
    'unresolved',
  ],
  ['is won at a final price of 1, even if that is only proposed', { ...won, ...proposed }, 'yes'],
  [
    'is resolved by its summary even if its history ends with a proposal',
    { ...half, umaResolutionStatus: 'resolved', umaResolutionStatuses: '["proposed"]' },
    'fifty_fifty',
  ],
  ['is unresolved without prices', { outcomePrices: undefined }, 'unresolved'],
  ['is unresolved with prices that are not JSON', { outcomePrices: 'not json' }, 'unresolved'],
  ['is unresolved with more than JSON', { outcomePrices: '["1"]extra' }, 'unresolved'],
  ['is unresolved with empty prices', { outcomePrices: '["", ""]' }, 'unresolved'],
  ['is unresolved with something else than a list', { outcomePrices: '{}' }, 'unresolved'],
  [
    'is unresolved at any price while it is open, even after its end date',
    { ...won, closed: false, endDate: '2020-01-01T00:00:00Z' },
    'unresolved',
  ],
])('a closed market %s', (_, changes, resolution) => {
  const event = parseGammaEvent(gammaEvent({ markets: [gammaMarket({ closed: true, ...changes })] }));
  expect(event?.markets).toMatchObject([{ resolution }]);
});
