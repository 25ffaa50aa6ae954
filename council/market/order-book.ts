import type { FeeSchedule, Market } from '../event.js';
import { spreadTrusted } from '../method.js';
import { atLeast } from '../numbers.js';

/** Standing offers on a market's YES, as fractions of a dollar. */
export interface OrderBook {
  readonly bid: number | null;
  readonly ask: number | null;
  /** Both sides are quoted, uncrossed and no further apart than 0.10: the book has a price. */
  readonly tight: boolean;
}

/** Reads a market's book. A bid of 0 or an ask of 1 is nobody there, not a price; nor has a closed market one. */
export function orderBook(market: Market): OrderBook {
  if (market.status !== 'open' || market.placeholder) return { bid: null, ask: null, tight: false };
  const bid = tradable(market.bestBid);
  const ask = tradable(market.bestAsk);
  const tight = bid !== null && ask !== null && bid <= ask && atLeast(spreadTrusted, ask - bid);
  return { bid, ask, tight };
}

function tradable(price: number | null): number | null {
  return price !== null && price > 0 && price < 1 ? price : null;
}

/**
 * What the market says of its YES, 0..1: the middle of a tight book; where a side is missing or the spread is
 * over 0.10, the last trade of an open market; else null. (An empty book of 96 and 1 cents means nothing, and
 * the last trade of a closed market is a settlement print.)
 */
export function impliedPrice(market: Market): number | null {
  const { bid, ask, tight } = orderBook(market);
  if (tight && bid !== null && ask !== null) return (bid + ask) / 2;
  return lastTrade(market);
}

/** 0 and 1 are what feeds print when nothing has traded, or all is over. */
function lastTrade({ status, placeholder, lastTrade }: Market): number | null {
  if (status !== 'open' || placeholder || lastTrade === null) return null;
  return lastTrade > 0 && lastTrade < 1 ? lastTrade : null;
}

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

/**
 * Taker fee of one share, in dollars: `rate · (p · (1 − p)) ^ exponent`, the market platform's published formula.
 * The same for both sides: it does not change when p becomes 1 − p.
 */
export function takerFee(price: number, { rate, exponent }: FeeSchedule): number {
  return rate * (price * (1 - price)) ** exponent;
}
