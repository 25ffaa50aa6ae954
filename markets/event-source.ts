import type { MarketEvent } from '../council/event.js';

/** A source of events, with one implementation per market. */
export interface EventSource {
  /** @throws MarketUnavailable if the market cannot be read. */
  search(query: EventQuery): Promise<FoundEvents>;
  /**
   * Reads an event by its id or its slug. Null if the market does not know it.
   * @throws MarketUnavailable if the market cannot be read.
   */
  get(idOrSlug: string): Promise<MarketEvent | null>;
}

export interface EventQuery {
  /** Empty for the most traded events. */
  readonly search: string;
  /** Starts at 1. */
  readonly page: number;
  readonly perPage: number;
  readonly status: 'open' | 'closed' | 'all';
}

export interface FoundEvents {
  readonly events: readonly MarketEvent[];
  /** Null if the market does not report a total. */
  readonly total: number | null;
}

/** The market could not be read. The message contains nothing from the response. */
export class MarketUnavailable extends Error {
  readonly retryAfterSeconds: number;

  constructor(reason: string, retryAfterSeconds = 5) {
    super(reason);
    this.name = 'MarketUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** This process may send no request to the market now: its own budget is used up, or the market asked it to wait. */
export class MarketBudgetSpent extends MarketUnavailable {
  constructor(retryAfterSeconds: number) {
    super('The budget of requests to the market is used up.', retryAfterSeconds);
    this.name = 'MarketBudgetSpent';
  }
}

/**
 * An account has used up its own budget. Where a purchase only wants to know whether the market still trades the event,
 * it goes on without, as if the market were unavailable.
 */
export class AccountBudgetSpent extends MarketUnavailable {
  constructor(retryAfterSeconds: number) {
    super('The account has had the market read too often.', retryAfterSeconds);
    this.name = 'AccountBudgetSpent';
  }
}

/** Sorts events by traded dollars, highest first, then by id, so that pages do not overlap. */
export function byVolume(a: MarketEvent, b: MarketEvent): number {
  return b.volume - a.volume || (a.eventId < b.eventId ? -1 : Number(a.eventId > b.eventId));
}
