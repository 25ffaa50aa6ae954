import type { ListedEvent } from '../../../council/market/event-choice.js';
import { type KalshiEventSearch, searchKalshiEvents } from '../../../db/market/kalshi-events.js';
import { eventQuery } from '../../markets/event-query.js';
import { later, noon } from './test-world.js';

/** Searches the index of Kalshi's events for the first twenty open ones, unless other things are asked for. */
export function searchIndex(
  db: Parameters<typeof searchKalshiEvents>[0],
  query: Partial<KalshiEventSearch> = {},
): ReturnType<typeof searchKalshiEvents> {
  return searchKalshiEvents(db, { ...eventQuery(), categories: null, now: noon, ...query });
}

/** An open event, as the venue lists it. */
export function listedEvent(ticker: string, changes: Partial<ListedEvent> = {}): ListedEvent {
  return {
    ticker,
    title: `Event ${ticker}`,
    subTitle: '',
    seriesTicker: ticker.split('-')[0] ?? ticker,
    category: 'Economics',
    volumeContracts: '10.00',
    closesAt: later({ hours: 24 }),
    status: 'open',
    ...changes,
  };
}
