import { afterAll, expect, test } from '@jest/globals';
import { fillKalshiIndex } from '../../../activities/maintenance/fill-kalshi-index.js';
import { searchKalshiEvents } from '../../../db/market/kalshi-events.js';
import { MarketUnavailable } from '../../../markets/event-source.js';
import { createKalshiIndex } from '../../../markets/kalshi/create-kalshi-index.js';
import { createKalshiEventSource } from '../../../markets/kalshi/kalshi-event-source.js';
import { createKalshiKept } from '../../../markets/kalshi/kalshi-kept.js';
import { createKalshiEventList } from '../../../markets/kalshi/list-kalshi-events.js';
import { createMetrics } from '../../../platform/telemetry/metrics.js';
import { startVenues } from '../../../simulator/venues/start-venues.js';
import { eventQuery } from '../../markets/event-query.js';
import { useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
let nowMs = Date.parse('2026-11-26T12:00:00Z');
const now = () => new Date(nowMs);
const venues = await startVenues({ now: () => (nowMs += 1_000) });
afterAll(() => venues.close());

const http = { fetch, timeoutMs: 5_000, baseUrl: venues.kalshiUrl };
const fill = () =>
  fillKalshiIndex({
    db: world.db,
    kalshiEvents: createKalshiEventList(http),
    metrics: createMetrics(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    now,
  });
const index = createKalshiIndex((...query) => searchKalshiEvents(world.db, ...query), now);
const source = createKalshiEventSource({ ...http, index, kept: createKalshiKept(now) });
const found = async (...query: Parameters<typeof eventQuery>) =>
  (await source.search(eventQuery(...query))).events.map(({ eventId }) => eventId);

test('until the index was filled the venue counts as unavailable; then an event is found with its live prices, and not as open once it has ended', async () => {
  await expect(found()).rejects.toThrow(MarketUnavailable);
  expect(await fill()).toEqual({ did: 'whole', events: 6, closed: 0, more: false });
  expect(await found()).toHaveLength(6);
  expect(await found({ search: 'gas' })).toEqual(['kalshi:KXSIMGAS-31MAR']);
  venues.control.moveKalshi('KXSIMEMPTY-31-YES', { status: 'closed' });
  expect(await fill()).toMatchObject({ did: 'changes', events: 1 });
  expect(await found()).toHaveLength(5);
  expect((await index.search(eventQuery({ status: 'closed' }))).tickers).toEqual(['KXSIMEMPTY-31']);
});
