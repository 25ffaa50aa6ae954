import type { MarketEvent } from '../council/event.js';
import type { EventQuery, EventSource, FoundEvents } from './event-source.js';

/** How the API reads the market: shared answers for readers, and the market itself for a purchase. */
export interface MarketReader {
  /** @throws MarketUnavailable if the market cannot be read and no answer is kept. */
  search(query: EventQuery): Promise<Reading<FoundEvents>>;
  /**
   * An event by its id or slug; null if the market does not know it.
   * @param purpose `browse` also takes an answer that is no longer fresh, if the market cannot be read
   * @param admit runs before the market is read, unless an answer is kept; throws MarketUnavailable to refuse
   * @throws MarketUnavailable
   */
  find(idOrSlug: string, purpose: FindPurpose, admit?: Admit): Promise<Reading<MarketEvent | null>>;
  /** As {@link find}, for a purchase: reads the market now. @throws MarketUnavailable */
  read(idOrSlug: string): Promise<MarketEvent | null>;
}

export type FindPurpose = 'browse' | 'check' | 'purchase';

export type Admit = () => Promise<void>;

/** What the market said, and when. */
export interface Reading<Value> {
  readonly value: Value;
  readonly ageSeconds: number;
  /** True if the market began to be read after this call: the prices are of now. */
  readonly isLive: boolean;
}

/** Reads the market each time: for events that are in memory. */
export function createDirectReader(source: EventSource): MarketReader {
  return {
    search: async query => live(await source.search(query)),
    find: async idOrSlug => live(await source.get(idOrSlug)),
    read: idOrSlug => source.get(idOrSlug),
  };
}

function live<Value>(value: Value): Reading<Value> {
  return { value, ageSeconds: 0, isLive: true };
}
