import { expect, test } from '@jest/globals';
import { purchaseReport } from '../../../db/purchases/purchases.js';
import { saveEvent } from '../../../db/reports/events.js';
import { readRun } from '../../../db/reports/run.js';
import { event, market } from '../../council/fixtures.js';
import { newRunAt, purchaseRequest } from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

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
  if (outcome === 'fresh_needed' || 'refused' in outcome) throw new Error('the report was not sold');
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
