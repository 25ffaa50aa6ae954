import type { MarketEvent } from '../council/event.js';

/** No event has more; a source gone mad must not fill the database. */
const marketsKeptMax = 500;

/** What the market said of the event and each of its markets when its end was read, as far as it is worth keeping. */
export function resolutionEvidence(event: MarketEvent): object {
  const { source, status, closesAt, markets } = event;
  return {
    source,
    status,
    closes_at: closesAt,
    markets: markets.slice(0, marketsKeptMax).map(market => ({
      market_id: market.marketId,
      status: market.status,
      resolution: market.resolution,
      best_bid: market.bestBid,
      best_ask: market.bestAsk,
      last_trade: market.lastTrade,
    })),
    markets_not_kept: Math.max(0, markets.length - marketsKeptMax),
  };
}
