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
