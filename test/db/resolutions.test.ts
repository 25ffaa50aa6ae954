import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MarketOutcomes } from '../../council/record.js';
import { rememberEvent } from '../../db/events.js';
import { newestResolution, noteResolution } from '../../db/resolutions.js';
import { event, market } from '../council/fixtures.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const noon = new Date('2031-03-05T12:00:00Z');
let database: TestDatabase;
let eventId: string;
let events = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function openEvent(): Promise<void> {
  eventId = `event-${++events}`;
  await rememberEvent(database.db, event([market({ name: 'Rain' })], { eventId }), noon);
}

const note = (outcomes: MarketOutcomes, now = noon) =>
  noteResolution(database.db, { eventId, outcomes, evidence: { said: outcomes }, now });

const rows = async () =>
  (
    await database.pool.query('select outcomes, evidence from resolutions where event_id = $1 order by id', [
      eventId,
    ])
  ).rows;

describe('what a market says of how an event ended', () => {
  test('is not noted while it says nothing', async () => {
    await openEvent();
    expect(await note({ a: 'unresolved', b: 'unresolved' })).toBe(false);
    expect(await newestResolution(database.db, eventId)).toBeNull();
  });

  test('is noted with its evidence, and only when it is something else than before', async () => {
    await openEvent();
    expect(await note({ a: 'unresolved', b: 'no' })).toBe(true);
    expect(await note({ b: 'no', a: 'unresolved' })).toBe(false);
    expect(await note({ a: 'yes', b: 'no' })).toBe(true);
    expect(await rows()).toEqual([
      { outcomes: { a: 'unresolved', b: 'no' }, evidence: { said: { a: 'unresolved', b: 'no' } } },
      { outcomes: { a: 'yes', b: 'no' }, evidence: { said: { a: 'yes', b: 'no' } } },
    ]);
    expect(await newestResolution(database.db, eventId)).toEqual({
      id: expect.any(Number),
      observedAt: noon,
      outcomes: { a: 'yes', b: 'no' },
    });
  });

  test('is noted again when it comes back to what it was: the newest counts', async () => {
    await openEvent();
    for (const said of ['yes', 'disputed', 'yes'] as const) expect(await note({ a: said })).toBe(true);
    expect(await note({ a: 'unresolved' })).toBe(true);
    expect((await rows()).map(row => row.outcomes.a)).toEqual(['yes', 'disputed', 'yes', 'unresolved']);
  });

  test('is noted once when forty observe it at the same moment', async () => {
    await openEvent();
    const noted = await Promise.all(Array.from({ length: 40 }, () => note({ a: 'yes' })));
    expect(noted.filter(Boolean)).toHaveLength(1);
    expect(await rows()).toHaveLength(1);
  });

  test('is never changed or removed', async () => {
    for (const statement of [
      `update resolutions set outcomes = '{}'`,
      'delete from resolutions',
      'truncate resolutions cascade',
    ]) {
      await expect(database.pool.query(statement)).rejects.toThrow('keeps its rows');
    }
  });
});
