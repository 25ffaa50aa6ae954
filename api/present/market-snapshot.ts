import type { MarketSnapshotView } from '../../contract/reports.js';
import type { MarketEvent } from '../../council/event.js';

/** The market as it was frozen for the run: with the deliberation, all that the report's numbers follow from. */
export function presentMarketSnapshot(
  { exclusive, markets }: MarketEvent,
  takenAt: string,
): MarketSnapshotView {
  return {
    taken_at: takenAt,
    exclusive: exclusive || markets.length === 1,
    markets: markets.map(market => ({
      market_id: market.marketId,
      market: market.name,
      slug: market.slug,
      outcomes: market.sides,
      status: market.status,
      placeholder: market.placeholder,
      best_bid: market.bestBid,
      best_ask: market.bestAsk,
      last_trade: market.lastTrade,
      volume: market.volume,
      taker_fee: market.takerFee,
    })),
  };
}
