import type { EventMarketView, EventView } from '../../contract/events.js';
import { type Market, type MarketEvent, volumeUnits } from '../../council/event.js';
import { impliedPrice } from '../../council/market/prices.js';
import { roundTo } from '../../council/numbers.js';

const priceDecimals = 6;

export function presentEvent(event: MarketEvent): EventView {
  const markets = event.markets.filter(market => !market.placeholder);
  return {
    event_id: event.eventId,
    venue: event.source,
    title: event.title,
    description: event.description,
    category: event.category,
    closes_at: event.closesAt,
    status: event.status,
    // Exactly one of a single market's two outcomes wins.
    exclusive: event.exclusive || markets.length === 1,
    volume: event.volume,
    volume_unit: volumeUnits[event.source],
    url: event.url,
    markets: markets.map(presentMarket),
  };
}

function presentMarket(market: Market): EventMarketView {
  const price = impliedPrice(market);
  return {
    market: market.name,
    slug: market.slug,
    outcomes: market.sides,
    yes_price: price === null ? null : roundTo(price, priceDecimals),
    best_bid: market.bestBid,
    best_ask: market.bestAsk,
    volume: market.volume,
    status: market.status,
    resolution: market.resolution,
  };
}
