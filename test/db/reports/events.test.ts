import { expect, test } from '@jest/globals';
import { saveEvent } from '../../../db/reports/events.js';
import { freezeMarket, readRun } from '../../../db/reports/run.js';
import { event, market } from '../../council/fixtures.js';
import { bought } from '../support/purchases.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

test('a report keeps the prices of its snapshot when the market moves', async () => {
  const eventId = await world.openEvent();
  const accountId = await world.openAccount(1_000);
  const { reportId } = await bought(world.db, { accountId, eventId });
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
