import { eventIdParameter } from '../../contract/events.js';
import type { MarketEvent } from '../../council/event.js';
import type { EventSource } from '../../markets/event-source.js';
import { Problem } from '../http/problem.js';

/** @throws Problem `event_not_found`; MarketUnavailable when the market does not respond. */
export async function findEvent(markets: EventSource, eventId: string): Promise<MarketEvent> {
  assertEventId(eventId);
  const event = await markets.get(eventId);
  if (event === null) throw eventNotFound();
  return event;
}

/** Checks the shape of the ID, before any other lookup. @throws Problem `event_not_found`. */
export function assertEventId(eventId: string): void {
  if (!eventIdParameter.safeParse(eventId).success) throw eventNotFound();
}

function eventNotFound(): Problem {
  return new Problem('event_not_found', 'There is no event with this id.');
}
