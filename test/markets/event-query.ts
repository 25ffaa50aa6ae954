import type { EventQuery } from '../../council/market/event-choice.js';

/** The first twenty open events, unless other things are asked for. */
export function eventQuery(more: Partial<EventQuery> = {}): EventQuery {
  return { search: '', category: null, sort: 'relevance', status: 'open', skip: 0, limit: 20, ...more };
}
