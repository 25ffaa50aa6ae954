import type { MarketEvent } from '../../../council/event.js';
import { saveEvent } from '../../../db/reports/events.js';
import type { EventSource } from '../../../markets/event-source.js';
import type { FreshRequest } from '../../../sales/temporal-purchaser.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import type { TestService } from '../../support/service/test-service.js';

/** What the API passes to the report purchaser when this caller buys a report on the event with credits. */
export async function freshRequest(
  service: TestService,
  caller: TestCaller,
  markets: EventSource,
  eventId: string,
): Promise<{ request: FreshRequest; event: MarketEvent }> {
  const event = await markets.get(eventId);
  if (event === null) throw new Error(`there is no event ${eventId}`);
  await saveEvent(service.database.db, event, new Date());
  const request: FreshRequest = {
    accountId: caller.accountId,
    apiKeyId: null,
    eventId,
    utcDay: new Date().toISOString().slice(0, 10),
    lane: 'credits',
    quotedCredits: null,
    quotedUsdCents: null,
    idempotency: null,
  };
  return { request, event };
}
