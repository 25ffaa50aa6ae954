import { atLeast } from './at-least.js';
import type { Market } from './event.js';
import { spreadTrusted } from './method.js';

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
