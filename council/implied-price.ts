import type { Market } from './event.js';
import { orderBook } from './order-book.js';

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
