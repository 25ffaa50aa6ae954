import type { EventListView } from '../../contract/events.js';

/**
 * Whether another page may have events. Where several venues take turns, each keeps its places in the list: a page is
 * shorter where one has no more, and only an empty one is surely the last.
 */
export function hasMore(
  { events, page, per_page: perPage, total }: Pick<EventListView, 'events' | 'page' | 'per_page' | 'total'>,
  venuesSearched: number,
): boolean {
  if (venuesSearched > 1) return events.length > 0;
  return total === undefined ? events.length === perPage : page * perPage < total;
}
