import type { Market, MarketEvent } from './event.js';

/**
 * An open event with one market, for a question that no platform trades.
 * @param id the id of the event and of its market
 * @param market what is known about the market; the rest is empty, without prices and fees
 */
export function oneMarketEvent(
  { id, title, description }: { readonly id: string; readonly title: string; readonly description: string },
  market: Partial<Market>,
): MarketEvent {
  return {
    eventId: id,
    slug: null,
    source: 'sample',
    title,
    description,
    category: null,
    closesAt: null,
    status: 'open',
    exclusive: true,
    canGrow: false,
    resolutionSource: null,
    volume: 0,
    url: null,
    markets: [{ ...emptyMarket, marketId: id, slug: id, name: title, question: title, ...market }],
  };
}

const emptyMarket = {
  sides: ['Yes', 'No'],
  status: 'open',
  placeholder: false,
  other: false,
  rules: null,
  closesAt: null,
  resolutionSource: null,
  bestBid: null,
  bestAsk: null,
  lastTrade: null,
  volume: 0,
  takerFee: { rate: 0, exponent: 1 },
  resolution: 'unresolved',
} as const satisfies Partial<Market>;
