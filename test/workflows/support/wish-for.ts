import { rememberEvent } from '../../../db/reports/events.js';
import type { EventSource } from '../../../markets/event-source.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import type { TestService } from '../../support/service/test-service.js';

/** What the routes hand to the desk when this caller wants a report on the event with credits: the wish, and the event as known. */
export async function wishFor(
  service: TestService,
  caller: TestCaller,
  markets: EventSource,
  eventId: string,
) {
  const event = await markets.get(eventId);
  if (event === null) throw new Error(`there is no event ${eventId}`);
  await rememberEvent(service.database.db, event, new Date());
  const wish = {
    accountId: caller.accountId,
    apiKeyId: null,
    eventId,
    utcDay: new Date().toISOString().slice(0, 10),
    lane: 'credits',
    quotedCredits: null,
    idempotency: null,
  } as const;
  return { wish, event };
}
