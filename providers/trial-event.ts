import type { Market, MarketEvent } from '../council/event.js';

/** An event of one market without prices, about which a model is asked to see whether it answers. */
export function trialEvent({ title, description, sides }: TrialQuestion): MarketEvent {
  return {
    eventId: 'trial',
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
    markets: [trialMarket(title, sides)],
  };
}

export interface TrialQuestion {
  readonly title: string;
  readonly description: string;
  readonly sides: Market['sides'];
}

function trialMarket(question: string, sides: Market['sides']): Market {
  return {
    marketId: 'trial',
    name: sides[0],
    question,
    slug: 'trial',
    sides,
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
  };
}
