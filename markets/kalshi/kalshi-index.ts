import type { EventQuery } from '../../council/market/event-choice.js';

/** Finds events of Kalshi by text and order, because its API has no search. */
export interface KalshiIndex {
  /**
   * @returns the tickers of one page of events, in the order that the query asks for, and how many match in all
   */
  search(query: EventQuery): Promise<{ readonly tickers: readonly string[]; readonly total: number }>;
}

/** For readers that never search, such as grading. */
export const emptyKalshiIndex: KalshiIndex = { search: async () => ({ tickers: [], total: 0 }) };
