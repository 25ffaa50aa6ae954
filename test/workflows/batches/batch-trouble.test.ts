import { afterEach, describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { readBatch } from '../../../db/batches/batches.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { batchWorkflowId } from '../../../workflows/batch-interface.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';
import { startBatch, untilHeld } from '../support/batches.js';
import { manyEvents, manyIds } from '../support/many-events.js';

const service = await useTestService({ markets: manyEvents() });
const { simulator, temporal } = service;
const { db } = service.database;
afterEach(() => simulator.clearFaults());

const read = (id: string) => readBatch(db, id);
const handleOf = (id: string) => temporal.workflow.getHandle(batchWorkflowId(id));

describe('a batch', () => {
  test('whose reports need every member pauses when one keeps failing, and is charged for none of them', async () => {
    const caller = await service.newCaller(100_000);
    simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 400 });
    const id = await startBatch(service, caller, { eventIds: manyIds(12), maxInFlight: 2, minMembers: 4 });
    const paused = await untilHeld(service, id);
    expect(paused).toMatchObject({ status: 'paused', pausedReason: 'member', pausedMember: 'grok' });
    const settled = await until(
      'its runs have ended',
      () => read(id),
      ({ rows }) => rows.running === 0,
    );
    expect(settled.spentCredits).toBe(0);
    expect(settled.rows.failed).toBeLessThan(8);

    simulator.clearFaults();
    await service.batchRuns.change(settled, { status: 'running', retry: true });
    await service.batchRuns.change(settled, { status: 'running' });
    expect(await untilHeld(service, id)).toMatchObject({ status: 'completed', rows: { completed: 12 } });
  });

  test('has fewer rows in flight while a vendor asks for fewer requests', async () => {
    const caller = await service.newCaller(100_000);
    simulator.setFault({ model: 'grok', stage: 'opinions' }, { kind: 'http', status: 429 });
    const id = await startBatch(service, caller, { eventIds: manyIds(60, 400), maxInFlight: 12 });
    await until(
      'its places are taken',
      () => read(id),
      ({ rows }) => rows.running >= 8,
    );
    const narrowed = await until(
      'it has narrowed',
      () => read(id),
      ({ rows }) => rows.running <= 3,
    );
    expect(narrowed).toMatchObject({ status: 'running' });
    expect(narrowed.rows.waiting).toBeGreaterThan(12);
    await service.batchRuns.change(narrowed, { status: 'cancelled' });
  });

  test('goes on with another worker, and with its rows if its workflow is lost', async () => {
    const caller = await service.newCaller(100_000);
    const id = await startBatch(service, caller, { eventIds: manyIds(14, 100), maxInFlight: 3 });
    await until(
      'some rows are bought',
      () => read(id),
      ({ rows }) => rows.waiting < 11,
    );
    await service.stopWorker();
    await handleOf(id).terminate('lost');
    await service.startWorker();
    const { rows } = await read(id);
    expect(rows.waiting).toBeGreaterThan(0);
    await service.batchRuns.start(await read(id));
    expect(await untilHeld(service, id)).toMatchObject({ status: 'completed', rows: { completed: 14 } });
    expect((await auditBooks(db, new Date(), null, Infinity)).drift).toEqual([]);
  });

  test('waits for the credits of its account, and buys the rest once they are there', async () => {
    const caller = await service.newCaller(300);
    const id = await startBatch(service, caller, { eventIds: manyIds(6, 200) });
    const paused = await untilHeld(service, id);
    expect(paused).toMatchObject({ status: 'paused', pausedReason: 'balance' });
    expect(paused.spentCredits).toBeGreaterThan(0);
    const { accountId } = caller;
    await grantCredits(db, { accountId, credits: 10_000, reason: 'test', operationId: id, now: new Date() });
    await service.batchRuns.change(paused, { status: 'running' });
    expect(await untilHeld(service, id)).toMatchObject({ status: 'completed', rows: { completed: 6 } });
  });

  test('has a history that does not grow with its rows', async () => {
    const caller = await service.newCaller(1_000_000);
    const id = await startBatch(service, caller, { eventIds: manyIds(56, 300), maxInFlight: 20 });
    await untilHeld(service, id);
    const { historyLength } = await handleOf(id).describe();
    expect(historyLength).toBeLessThan(40);
  });
});
