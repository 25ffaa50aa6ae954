import { expect, test } from '@jest/globals';
import { kalshiEventSchema, kalshiMarketSchema } from '../../../markets/kalshi/kalshi-schema.js';
import { kalshiEvent, kalshiMarket } from './kalshi-fixtures.js';

test('prices of up to six decimals and fractional counts are read from strings, beside unknown fields', () => {
  const read = kalshiMarketSchema.parse(
    kalshiMarket({ yes_bid_dollars: '0.401234', volume_fp: '483074.49', new_field: { deep: 1 } }),
  );
  expect(read).toMatchObject({ yes_bid_dollars: 0.401234, volume_fp: 483_074.49 });
});

test.each([
  'yes_bid_dollars',
  'yes_ask_dollars',
  'yes_bid_size_fp',
  'last_price_dollars',
  'volume_fp',
  'settlement_value_dollars',
])('a market with a JSON number as %s is refused, and its event with it', field => {
  const market = kalshiMarket({ [field]: 1 });
  expect(kalshiMarketSchema.safeParse(market).success).toBe(false);
  expect(kalshiEventSchema.safeParse(kalshiEvent({ markets: [market] })).success).toBe(false);
});

test.each(['', '40c', '1e-1', '-0.1', '1.0001', 'NaN'])('a price of %p is refused', price => {
  expect(kalshiMarketSchema.safeParse(kalshiMarket({ yes_bid_dollars: price })).success).toBe(false);
});

test('a ticker that would select another path is refused', () => {
  expect(kalshiMarketSchema.safeParse(kalshiMarket({ ticker: '../series' })).success).toBe(false);
});
