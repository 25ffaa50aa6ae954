import type { MarketEvent } from '../council/event.js';
import type { EventQuery } from '../council/market/event-choice.js';
import type { EventSource, FoundEvents, PricePoint, PriceQuery } from './event-source.js';

/** How the API reads one venue: shared answers for readers, and the venue itself for a purchase. */
export interface VenueReader {
  /** @throws MarketUnavailable if the venue cannot be read and no answer is kept. */
  search(query: EventQuery): Promise<Reading<FoundEvents>>;
  /**
   * An event by its id or slug; null if the venue does not know it.
   * @param purpose `browse` also takes an answer that is no longer fresh, if the venue cannot be read
   * @param admit runs before the venue is read, unless an answer is kept; throws MarketUnavailable to refuse
   * @throws MarketUnavailable
   */
  find(idOrSlug: string, purpose: FindPurpose, admit?: Admit): Promise<Reading<MarketEvent | null>>;
  /** As {@link find}, for a purchase: reads the venue now. @throws MarketUnavailable */
  read(idOrSlug: string): Promise<MarketEvent | null>;
  /** What a market traded at, see `EventSource`. @throws MarketUnavailable */
  readPrices(query: PriceQuery): Promise<Reading<readonly PricePoint[] | null>>;
}

export type FindPurpose = 'browse' | 'check' | 'purchase';

export type Admit = () => Promise<void>;

/** What the venue said, and when. */
export interface Reading<Value> {
  readonly value: Value;
  readonly ageSeconds: number;
  /** True if the venue began to be read after this call: the prices are of now. */
  readonly isLive: boolean;
}

/** Reads the venue each time: for events that are in memory. */
export function createDirectReader(source: EventSource): VenueReader {
  return {
    search: async query => live(await source.search(query)),
    find: async idOrSlug => live(await source.get(idOrSlug)),
    read: idOrSlug => source.get(idOrSlug),
    readPrices: async query => live(await source.readPrices(query)),
  };
}

export function live<Value>(value: Value): Reading<Value> {
  return { value, ageSeconds: 0, isLive: true };
}
