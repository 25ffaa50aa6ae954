import type { Market, MarketEvent } from '../council/event.js';
import { oneMarketEvent } from '../council/one-market-event.js';

export interface TrialQuestion {
  readonly title: string;
  readonly description: string;
  readonly sides: Market['sides'];
}

/** An event of one market without prices, about which a model is asked to see whether it answers. */
export function trialEvent({ sides, ...question }: TrialQuestion): MarketEvent {
  return oneMarketEvent({ id: 'trial', ...question }, { name: sides[0], sides });
}
