import type { MarketEvent } from '../council/event.js';
import type { EventQuery } from '../council/market/event-choice.js';
import type { EventEnding } from '../council/market/final-word.js';

/** A venue's events. There is one implementation per venue. */
export interface EventSource {
  /** @throws MarketUnavailable if the venue cannot be read. */
  search(query: EventQuery): Promise<FoundEvents>;
  /**
   * Reads an event by its id or its slug. Null if the venue does not know it.
   * @throws MarketUnavailable if the venue cannot be read.
   */
  get(idOrSlug: string): Promise<MarketEvent | null>;
  /**
   * Reads an event with the venue's final word about each of its markets, for grading. Null if the venue does not know it.
   * @param marketIds the markets that the event is known to have, for a venue that keeps old ones elsewhere
   * @throws MarketUnavailable if the venue cannot be read.
   */
  readEnding(eventId: string, marketIds?: readonly string[]): Promise<EventEnding | null>;
  /**
   * What a market's YES traded at, oldest first. Null if the venue does not know the market, or keeps no prices.
   * @throws MarketUnavailable if the venue cannot be read.
   */
  readPrices(query: PriceQuery): Promise<readonly PricePoint[] | null>;
}

export interface FoundEvents {
  readonly events: readonly MarketEvent[];
  /** Null if the venue does not report a total. */
  readonly total: number | null;
}

export interface PriceQuery {
  readonly eventId: string;
  readonly marketId: string;
  /** ISO 8601, UTC. */
  readonly from: string;
  readonly to: string;
}

export interface PricePoint {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** 0..1 */
  readonly yesPrice: number;
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

/** The market answered in a form that is not parsed here: it has changed, or something else answers for it. */
export class MarketUnreadable extends MarketUnavailable {
  constructor(reason: string) {
    super(reason);
    this.name = 'MarketUnreadable';
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
