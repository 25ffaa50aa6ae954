import { describe, expect, test } from '@jest/globals';
import { resolveEvents } from '../../../activities/grading/resolve-events.js';
import type { Venue } from '../../../council/event.js';
import { saveEvent } from '../../../db/reports/events.js';
import { newestResolution } from '../../../db/track-record/resolutions.js';
import { type EventSource, MarketUnavailable, MarketUnreadable } from '../../../markets/event-source.js';
import { wordsOf } from '../../../markets/sample/sample-words.js';
import { event, market } from '../../council/fixtures.js';
import { until } from '../../support/until.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const log = { warn: () => undefined, error: () => undefined };

describe('a venue', () => {
  test('that hangs keeps no event of another venue from being resolved', async () => {
    const ids = await openEvents(['kalshi:A', 'kalshi:B', 'kalshi:C', 'kalshi:D', 'kalshi:E', 'p-1', 'p-2']);
    let release = () => {};
    const hanging = new Promise<never>((_, fail) => {
      release = () => fail(new MarketUnavailable('Kalshi did not answer.'));
    });
    const page = resolve({ kalshi: () => hanging, polymarket: wonBy }, ids);
    await until('the other events are resolved', () => newestResolution(world.db, 'p-2'));
    release();
    expect(await page).toMatchObject({ events: 7, resolved: 2 });
    expect((await page).failures.map(({ id }) => id).sort()).toEqual(ids.slice(0, 5));
  });

  test('that answers about no event is asked about few of a page', async () => {
    const ids = await openEvents(Array.from({ length: 40 }, (_, index) => `kalshi:SILENT-${index}`));
    let asked = 0;
    const page = await resolve({ kalshi: () => fail(asked++, new MarketUnavailable('away')) }, ids);
    expect(page.failures).toHaveLength(40);
    expect(asked).toBeLessThan(12);
  });

  test('receives the markets that the event is known to have', async () => {
    const [id = ''] = await openEvents(['kalshi:OLD']);
    let received: readonly string[] = [];
    const readEnding = (eventId: string, marketIds: readonly string[] = []) => {
      received = marketIds;
      return wonBy(eventId);
    };
    await resolve({ kalshi: readEnding }, [id]);
    expect(received).toEqual(['m-Rain']);
  });

  test('whose answers cannot be parsed is asked about every event', async () => {
    const ids = await openEvents(Array.from({ length: 40 }, (_, index) => `kalshi:ODD-${index}`));
    let asked = 0;
    await resolve({ kalshi: () => fail(asked++, new MarketUnreadable('odd')) }, ids);
    expect(asked).toBe(40);
  });
});

async function openEvents(ids: readonly string[]): Promise<readonly string[]> {
  for (const eventId of ids) await saveEvent(world.db, rain(eventId), noon);
  return ids;
}

function resolve(reads: Partial<Record<Venue, EventSource['readEnding']>>, ids: readonly string[]) {
  const venues = new Map(
    (['kalshi', 'polymarket'] as const).flatMap(venue => {
      const readEnding = reads[venue];
      return readEnding === undefined ? [] : [[venue, { readEnding }] as const];
    }),
  );
  return resolveEvents({ db: world.db, venues, now: () => noon, log }, ids);
}

async function wonBy(eventId: string) {
  const ended = rain(eventId);
  return { event: ended, words: wordsOf(ended, 'uma') };
}

async function fail(_asked: number, error: MarketUnavailable): Promise<never> {
  throw error;
}

function rain(eventId: string) {
  return event([market({ name: 'Rain', marketId: 'm-Rain', status: 'closed', resolution: 'yes' })], {
    eventId,
    status: 'closed',
    source: eventId.startsWith('kalshi:') ? 'kalshi' : 'polymarket',
  });
}
