import { saveEvent } from '../../../db/reports/events.js';
import { createGammaEventSource } from '../../../markets/polymarket/gamma-event-source.js';
import { inLanes } from '../load/steady-load.js';
import type { BenchedService } from './with-service.js';

/**
 * Stores events as if somebody had looked at them before. A service looks up only some unknown events a second and
 * refuses the purchases of others for a moment (markets/request-budget.ts), which no measurement is about.
 */
export async function seedEvents(
  { database, gammaUrl }: BenchedService,
  eventIds: readonly string[],
): Promise<void> {
  const source = createGammaEventSource({ baseUrl: gammaUrl, fetch, timeoutMs });
  await inLanes(eventIds.length, readersAtOnce, async index => {
    const event = await source.get(eventIds[index] ?? '');
    if (event === null) throw new Error(`the market has no event ${eventIds[index]}`);
    await saveEvent(database.db, event, new Date(0));
  });
}

const readersAtOnce = 8;
const timeoutMs = 30_000;
