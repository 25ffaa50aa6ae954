import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { purchaseReport } from '../../../db/purchases/purchases.js';
import { saveEvent } from '../../../db/reports/events.js';
import { createSampleEventSource } from '../../../markets/sample/sample-event-source.js';
import { complete, newRunAt, purchaseRequest } from '../../db/support/purchases.js';
import { runRound } from '../../support/service/run-maintenance.js';
import { subscribe } from '../../support/service/subscribe.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { longDeadlines } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { maintenanceActivities } from '../support/maintenance-activities.js';

const service = await useTestService({ stageDeadlinesMs: longDeadlines });

afterEach(() => {
  service.simulator.clearFaults();
  service.clock.offsetMs = 0;
});

const minutes = 60_000;

const handleOf = (caller: TestCaller, eventId: string) =>
  service.temporal.workflow.getHandle(caller.workflowId(eventId));

/** Buys a report, and terminates its run during the opinions. */
async function terminated(caller: TestCaller, eventId: string, more: object = {}): Promise<number> {
  service.simulator.setFault({ stage: 'opinions' }, { kind: 'hang' });
  const called = untilModelsCalled();
  const { body } = await caller.buy(eventId, more);
  await called;
  await handleOf(caller, eventId).terminate('by an operator');
  return body.report_id;
}

/** Waits until all four models have been called again. */
function untilModelsCalled(): Promise<unknown> {
  const before = service.simulator.calls.length;
  return until('the models are called', () => service.simulator.calls.length >= before + 4);
}

const read = async (caller: TestCaller, reportId: number) =>
  (await caller.get(`/api/reports/${reportId}`)).body;

describe('a run that was terminated', () => {
  test('is refunded in full by the next round, once, and its report fails as abandoned', async () => {
    const caller = await service.newCaller(500);
    const reportId = await terminated(caller, 'sample-fed-cut-2031');
    expect(await read(caller, reportId)).toMatchObject({ status: 'processing' });
    expect(await caller.balance()).toBeLessThan(500);

    expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: 1, failed: 0 });
    expect(await read(caller, reportId)).toMatchObject({ status: 'failed', failure: { code: 'abandoned' } });
    expect(await caller.balance()).toBe(500);

    expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: 0 });
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['refund', 'charge', 'grant']);
  });

  test('returns a weekly grant to its pool', async () => {
    const caller = await service.newCaller(0, { weeklyGrant: true });
    const reportId = await terminated(caller, 'sample-ridge-derby-2031');
    const grant = async () => (await caller.get('/api/credits/balance')).body.weekly_grant.available;
    expect(await grant()).toBe(false);
    await runRound(service, 'release-stranded-runs');
    expect(await read(caller, reportId)).toMatchObject({ status: 'failed' });
    expect(await grant()).toBe(true);
    expect(await caller.balance()).toBe(0);
  });

  test('on the subscription is never billed', async () => {
    const caller = await service.newCaller(0);
    await subscribe(service.database.db, caller.accountId);
    const reportId = await terminated(caller, 'sample-song-contest-2031', { lane: 'subscription' });
    await runRound(service, 'release-stranded-runs');
    expect(await read(caller, reportId)).toMatchObject({ status: 'failed', failure: { code: 'abandoned' } });
    const metered = service.database.db.selectFrom('usage_outbox').where('account_id', '=', caller.accountId);
    expect(await metered.selectAll().execute()).toEqual([]);
  });

  test('is refunded once by concurrent rounds', async () => {
    const caller = await service.newCaller(500);
    await terminated(caller, 'sample-bitcoin-high-2031');
    await Promise.all([
      runRound(service, 'release-stranded-runs'),
      runRound(service, 'release-stranded-runs'),
      runRound(service, 'release-stranded-runs'),
    ]);
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['refund', 'charge', 'grant']);
    expect(await caller.balance()).toBe(500);
  });

  test('can be bought again on the same day, and is delivered', async () => {
    const caller = await service.newCaller(500);
    const lost = await terminated(caller, 'sample-great-quake-2031');
    await runRound(service, 'release-stranded-runs');
    service.simulator.clearFaults();
    const { body } = await caller.buy('sample-great-quake-2031');
    expect(body.report_id).not.toBe(lost);
    expect(await caller.untilEnded(body.report_id)).toMatchObject({ status: 'completed' });
  });
});

describe('a run is not released', () => {
  test('while it is running, however long it takes', async () => {
    const release = service.simulator.hold({ stage: 'opinions' });
    const caller = await service.newCaller(500);
    const called = untilModelsCalled();
    const { body } = await caller.buy('sample-oil-ladder-2031');
    await called;
    service.clock.offsetMs = 24 * 60 * minutes;
    expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: 0, running: 1 });
    service.clock.offsetMs = 0;
    release();
    expect(await caller.untilEnded(body.report_id)).toMatchObject({ status: 'completed' });
    expect((await caller.ledger()).map(entry => entry.kind)).toEqual(['charge', 'grant']);
  });

  test('when it was cancelled, because it has refunded itself', async () => {
    service.simulator.setFault({ stage: 'opinions' }, { kind: 'hang' });
    const caller = await service.newCaller(500);
    const { body } = await caller.buy('sample-hottest-year-2031');
    await handleOf(caller, 'sample-hottest-year-2031').cancel();
    const before = await caller.untilEnded(body.report_id);
    expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: 0 });
    expect(await read(caller, body.report_id)).toEqual(before);
    expect(await caller.balance()).toBe(500);
  });

  test('when its report is completed while Temporal is queried', async () => {
    const { purchaseId, accountId, reportId } = await boughtWithoutRun('sample-expo-host-2031');
    const warnings: unknown[] = [];
    const { database, clock } = service;
    const activities = maintenanceActivities({
      db: database.db,
      temporal: {
        workflow: {
          getHandle: (id: string) => ({
            describe: async () => {
              await complete(database.db, reportId);
              return service.temporal.workflow.getHandle(id).describe();
            },
          }),
        },
      } as any,
      now: () => new Date(Date.now() + clock.offsetMs),
      log: {
        info: () => undefined,
        error: () => undefined,
        warn: (line: unknown) => void warnings.push(line),
      },
    });
    clock.offsetMs = 60 * minutes;
    expect(await activities.releaseStranded()).toMatchObject({ released: 0, ended: 1 });
    expect(warnings).toEqual([]);
    const purchases = database.db.selectFrom('report_purchases').where('id', '=', purchaseId);
    expect(await purchases.select(['state', 'account_id']).executeTakeFirst()).toEqual({
      state: 'charged',
      account_id: accountId,
    });
  });
});

describe('a run that Temporal does not know', () => {
  test('is refunded after 15 minutes', async () => {
    const { accountId } = await boughtWithoutRun('sample-harbour-cup-final-2031');
    const state = async () =>
      (
        await service.database.db
          .selectFrom('report_purchases')
          .select('state')
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow()
      ).state;
    service.clock.offsetMs = 14.5 * minutes;
    expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: 0, waiting: 1 });
    expect(await state()).toBe('charged');
    service.clock.offsetMs = 15.1 * minutes;
    expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: 1, waiting: 0 });
    expect(await state()).toBe('refunded');
  });
});

test('after all of this the books add up', async () => {
  expect(await auditBooks(service.database.db, new Date())).toMatchObject({ drift: [] });
});

/** A charge whose workflow was lost with its server. */
async function boughtWithoutRun(eventId: string) {
  const { db } = service.database;
  const { accountId } = await service.newCaller(500);
  const event = await createSampleEventSource().get(eventId);
  if (event === null) throw new Error('the sample event is gone');
  await saveEvent(db, event, new Date());
  const now = new Date();
  const utcDay = now.toISOString().slice(0, 10);
  const purchase = purchaseRequest({ accountId, eventId, utcDay });
  const setting = { ...newRunAt(now), simulated: false, workflowId: `report/${randomUUID()}` };
  const outcome = await purchaseReport(db, purchase, setting, 'fresh');
  if (outcome === 'fresh_needed' || 'refused' in outcome) throw new Error(JSON.stringify(outcome));
  return { purchaseId: purchase.purchaseId, accountId, reportId: outcome.reportId };
}
