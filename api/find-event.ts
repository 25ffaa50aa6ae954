import type { MarketEvent } from '../council/event.js';
import type { EventSource } from '../markets/event-source.js';
import { Problem } from './problem.js';

/** Ids of events are short and plain at every source; anything else is the id of none. */
const eventIdShape = /^[\w.:-]{1,128}$/;

/** @throws Problem `event_not_found`; MarketUnavailable when the market cannot be asked. */
export async function findEvent(markets: EventSource, eventId: string): Promise<MarketEvent> {
  const event = eventIdShape.test(eventId) ? await markets.get(eventId) : null;
  if (event === null) throw new Problem('event_not_found', 'There is no event with this id.');
  return event;
}
