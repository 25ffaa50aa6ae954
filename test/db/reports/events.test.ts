import { expect, test } from '@jest/globals';
import { purchaseReport } from '../../../db/purchases/purchases.js';
import { findEventId, saveEvent } from '../../../db/reports/events.js';
import { readRun } from '../../../db/reports/run.js';
import { event, market } from '../../council/fixtures.js';
import { freezeMarket, isSold, newRunAt, purchaseRequest, sell } from '../support/purchases.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

test('a report keeps the prices of its snapshot when the market moves', async () => {
  const { reportId, eventId } = await sell(world);
  const early = event([market({ name: 'Rain', bestBid: 0.4 })], { eventId });
  await freezeMarket(world.db, reportId, { event: early, queriedMarket: 'Rain', pricesAt: noon });
  const moved = event([market({ name: 'Rain', bestBid: 0.9 })], { eventId, title: 'Another title' });
  await saveEvent(world.db, moved, later({ hours: 1 }));
  expect((await readRun(world.db, reportId)).event).toEqual(early);
});

test('an event has one row with its last reading, even under twenty concurrent reads', async () => {
  const eventId = 'read-at-once';
  const read = (title: string) => saveEvent(world.db, event([], { eventId, title }), noon);
  await inParallel(20, index => read(`Title ${index}`));
  await read('Last title');
  expect(await world.sql('select title, event from events where event_id = $1', [eventId])).toEqual([
    { title: 'Last title', event: event([], { eventId, title: 'Last title' }) },
  ]);
});

test('a slug names the event that was last read under it, and an event keeps its former slugs', async () => {
  const save = (eventId: string, slug: string) => saveEvent(world.db, event([], { eventId, slug }), noon);
  const find = (slug: string) => findEventId(world.db, slug);
  await save('first', 'rain-in-march');
  await save('first', 'rain-in-spring');
  expect(await Promise.all(['first', 'rain-in-march', 'rain-in-spring'].map(find))).toEqual([
    'first',
    'first',
    'first',
  ]);
  await save('second', 'rain-in-march');
  expect(await find('rain-in-march')).toBe('second');
  expect(await find('snow-in-march')).toBeNull();
});

test('an id names its event, also if another event has it as its slug', async () => {
  await inParallel(20, index =>
    saveEvent(world.db, event([], { eventId: `storm-${index}`, slug: 'storm-0' }), noon),
  );
  expect(await findEventId(world.db, 'storm-0')).toBe('storm-0');
});

async function buyRead(markets: Parameters<typeof event>[0]) {
  const eventId = await world.openEvent();
  const accountId = await world.openAccount(1_000);
  const read = event(markets, { eventId });
  await saveEvent(world.db, read, noon);
  const run = { ...newRunAt(later({ seconds: 2 })), firstStage: { stage: 'research', of: 3 } } as const;
  const outcome = await purchaseReport(world.db, purchaseRequest({ accountId, eventId }), run, 'fresh');
  return { eventId, accountId, read, outcome };
}

test('the charge freezes the market as it was read for it, and the run has begun', async () => {
  const { eventId, read, outcome } = await buyRead([market({ name: 'Rain' })]);
  if (!isSold(outcome)) throw new Error('the report was not sold');
  await saveEvent(world.db, event([market({ name: 'Snow' })], { eventId }), later({ minutes: 1 }));
  const frozen = { event: read, queriedMarket: 'Rain', pricesAt: noon };
  expect(await readRun(world.db, outcome.reportId)).toMatchObject(frozen);
  expect(
    await world.sql('select status, stage, stage_of from reports where id = $1', [outcome.reportId]),
  ).toEqual([{ status: 'processing', stage: 'research', stage_of: 3 }]);
});

test('an exclusive event with a winner is refused as closed and not charged, although other markets trade', async () => {
  const { accountId, outcome } = await buyRead([
    market({ name: 'A' }),
    market({ name: 'W', status: 'closed', resolution: 'yes' }),
  ]);
  expect(outcome).toMatchObject({ refused: 'event_closed' });
  expect(await world.sql('select 1 from report_purchases where account_id = $1', [accountId])).toEqual([]);
});
