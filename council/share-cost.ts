import type { Market } from './event.js';
import { takerFee } from './fee.js';
import { orderBook } from './order-book.js';

/**
 * Dollars one share really costs now, fee included: YES is bought at the ask, NO at 1 − bid.
 * Null where nobody offers that side.
 */
export function shareCost(market: Market, side: 'BUY_YES' | 'BUY_NO'): number | null {
  const { bid, ask } = orderBook(market);
  const yesPrice = side === 'BUY_YES' ? ask : bid;
  if (yesPrice === null) return null;
  const price = side === 'BUY_YES' ? yesPrice : 1 - yesPrice;
  return price + takerFee(price, market.takerFee);
}
