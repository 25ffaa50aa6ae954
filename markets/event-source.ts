import type { MarketEvent } from '../council/event.js';

/** Where events come from. One implementation a market. */
export interface EventSource {
  /** @throws MarketUnavailable when the market cannot be read. */
  search(query: EventQuery): Promise<EventPage>;
  /** Null when the market does not know the event. @throws MarketUnavailable when it cannot be read. */
  get(eventId: string): Promise<MarketEvent | null>;
}

export interface EventQuery {
  /** Empty: the most traded ones. */
  readonly search: string;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly status: 'open' | 'closed' | 'all';
}

export interface EventPage {
  readonly events: readonly MarketEvent[];
  /** Null when the market does not say how many there are. */
  readonly total: number | null;
}

/** The market did not answer in a way that can be read. The message holds nothing of the answer itself. */
export class MarketUnavailable extends Error {
  readonly retryAfterSeconds: number;

  constructor(reason: string, retryAfterSeconds = 5) {
    super(reason);
    this.name = 'MarketUnavailable';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Orders events by dollars traded, most first; ties by id, so that pages never overlap. */
export function byVolume(a: MarketEvent, b: MarketEvent): number {
  return b.volume - a.volume || (a.eventId < b.eventId ? -1 : Number(a.eventId > b.eventId));
}
