import type { MarketEvent } from '../council/event.js';

/** Orders events by dollars traded, most first; ties by id, so that pages never overlap. */
export function byVolume(a: MarketEvent, b: MarketEvent): number {
  return b.volume - a.volume || (a.eventId < b.eventId ? -1 : Number(a.eventId > b.eventId));
}
