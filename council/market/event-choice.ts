/** The categories by which callers choose events. Each venue has names of its own for them. */
export const eventCategories = [
  'politics',
  'world',
  'economy',
  'crypto',
  'sports',
  'culture',
  'science',
  'weather',
] as const;

export type EventCategory = (typeof eventCategories)[number];

/** The orders in which events are listed. */
export const eventSorts = ['relevance', 'volume', 'closing'] as const;

export type EventSort = (typeof eventSorts)[number];

/** Which events of a venue are listed. */
export interface EventQuery {
  /** Empty for all events. */
  readonly search: string;
  /** One of the service's own categories; null for all. */
  readonly category: EventCategory | null;
  /** `relevance` to the search text; without a text, as `volume`. `closing`: the next to close first. */
  readonly sort: EventSort;
  readonly status: 'open' | 'closed' | 'all';
  /** How many events to skip. */
  readonly skip: number;
  readonly limit: number;
}

/** What the search index keeps of an event of Kalshi. */
export interface ListedEvent {
  readonly ticker: string;
  readonly title: string;
  readonly subTitle: string;
  readonly seriesTicker: string;
  /** The venue's own name of the category; empty if it has none. */
  readonly category: string;
  /** Contracts traded, with two decimals. */
  readonly volumeContracts: string;
  /** When the last of its markets is expected to be decided; null if no market says it. */
  readonly closesAt: Date | null;
  readonly status: 'open' | 'closed';
}
