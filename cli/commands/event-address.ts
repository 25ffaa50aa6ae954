import type { Venue } from '../../council/event.js';
import { parseUrl } from '../../council/parse-url.js';

/** The event behind the address of a page of a venue. */
export interface EventAddress {
  readonly venue: Exclude<Venue, 'sample'>;
  /** With the venue as its prefix, so that it is never another venue's. */
  readonly eventId: string;
  /** What to search the venue for if there is no such event; null if the address means this event and no other. */
  readonly search: string | null;
}

/**
 * Reads the address of an event at Polymarket (`polymarket.com/event/SLUG`) or Kalshi (`kalshi.com/markets/SERIES/NAME/TICKER`),
 * with or without `https://`. Kalshi's are often shorter, and then name a series of events.
 *
 * @returns null for any other text
 */
export function parseEventAddress(text: string): EventAddress | null {
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (url === null) return null;
  const path = url.pathname.split('/').filter(part => part !== '');
  switch (url.hostname.replace(/^www\./, '')) {
    case 'kalshi.com':
      return kalshiAddress(path);
    case 'polymarket.com':
      return polymarketAddress(path);
    default:
      return null;
  }
}

function kalshiAddress([section, series, ...names]: readonly string[]): EventAddress | null {
  if ((section !== 'markets' && section !== 'events') || series === undefined) return null;
  const isOneEvent = section === 'events' || names.length >= 2;
  const ticker = (names.at(-1) ?? series).toUpperCase();
  return { venue: 'kalshi', eventId: `kalshi:${ticker}`, search: isOneEvent ? null : series };
}

/** Pages of a language or of sports have more before the slug; those of a market have its name after it. */
function polymarketAddress(path: readonly string[]): EventAddress | null {
  const at = path.indexOf('event');
  const slug = at >= 0 ? path[at + 1] : path.includes('sports') ? path.at(-1) : undefined;
  return slug === undefined ? null : { venue: 'polymarket', eventId: `polymarket:${slug}`, search: null };
}
