import type { Venue } from '../council/event.js';

/** An event as a caller names it: the venue that knows it, and the name that is stored. */
export interface EventName {
  readonly venue: Venue;
  /** Kalshi's ids keep their prefix, because tickers and Polymarket's ids could be equal. The other venues' have none. */
  readonly name: string;
}

/**
 * Reads the id or slug of an event, the one place that knows which venue it belongs to. `kalshi:kxfed-26dec` and
 * `KALSHI:KXFED-26DEC` name one event, `polymarket:123` and `123` another.
 *
 * @param configured a name without prefix belongs to the first of these that is not Kalshi
 * @returns null if it belongs to no configured venue
 */
export function parseEventName(text: string, configured: readonly Venue[]): EventName | null {
  const [, prefix, rest] = /^([a-z]+):(.*)$/is.exec(text) ?? [];
  if (prefix === undefined || rest === undefined) {
    const venue = configured.find(each => each !== 'kalshi');
    return venue === undefined ? null : { venue, name: text };
  }
  const venue = configured.find(each => each === prefix.toLowerCase());
  if (venue === undefined || rest === '') return null;
  return venue === 'kalshi' ? { venue, name: kalshiEventId(rest.toUpperCase()) } : { venue, name: rest };
}

/** The id of one of Kalshi's events, from its ticker. */
export function kalshiEventId(ticker: string): string {
  return `${kalshiPrefix}${ticker}`;
}

/** The ticker of one of Kalshi's events; null if the id is another venue's. */
export function kalshiTicker(eventId: string): string | null {
  return eventId.startsWith(kalshiPrefix) ? eventId.slice(kalshiPrefix.length) : null;
}

const kalshiPrefix = 'kalshi:';
