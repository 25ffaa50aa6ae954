import type { Market, MarketEvent } from '../../council/event.js';
import { impliedPrice } from '../../council/implied-price.js';

/** An event as callers see it (`contract` §5). */
export function presentEvent(event: MarketEvent) {
  return {
    event_id: event.eventId,
    title: event.title,
    description: event.description,
    category: event.category,
    closes_at: event.closesAt,
    status: event.status,
    exclusive: event.exclusive,
    volume: event.volume,
    url: event.url,
    markets: event.markets.filter(market => !market.placeholder).map(presentMarket),
  };
}

function presentMarket(market: Market) {
  return {
    market: market.name,
    slug: market.slug,
    outcomes: market.sides,
    yes_price: impliedPrice(market),
    best_bid: market.bestBid,
    best_ask: market.bestAsk,
    volume: market.volume,
    status: market.status,
    resolution: market.resolution,
  };
}
