import { describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { listRows } from '../../../db/batches/batch-rows.js';
import { readBatch } from '../../../db/batches/batches.js';
import { batchWorkflowId } from '../../../workflows/batch-interface.js';
import { useTestService } from '../../support/use-service.js';
import { startBatch, untilHeld } from '../support/batches.js';
import { manyEvents, manyIds } from '../support/many-events.js';

const service = await useTestService({ markets: manyEvents() });
const { db } = service.database;

const rowsOf = (id: string) => listRows(db, id, { state: null, after: 0, limit: 500 });

describe('a batch', () => {
  test('buys each of its rows once, cached and owned ones too, and ends', async () => {
    const caller = await service.newCaller(100_000);
    const other = await service.newCaller(1_000);
    const [shared = '', owned = '', ...fresh] = manyIds(6);
    await other.run(shared);
    await caller.run(owned);
    const id = await startBatch(service, caller, { eventIds: [shared, owned, ...fresh, 'no-such-event'] });
    const batch = await untilHeld(service, id);
    expect(batch).toMatchObject({
      status: 'completed',
      pausedReason: null,
      rows: { total: 7, waiting: 0, running: 0, completed: 6, failed: 0, refused: 1 },
    });
    const rows = await rowsOf(id);
    expect(rows.map(({ kind, code }) => kind ?? code)).toEqual([
      'cached',
      'owned',
      'fresh',
      'fresh',
      'fresh',
      'fresh',
      'event_not_found',
    ]);
    expect(batch.spentCredits).toBe(rows.reduce((sum, { credits }) => sum + credits, 0));
    const { status } = await service.temporal.workflow.getHandle(batchWorkflowId(id)).describe();
    expect(['RUNNING', 'COMPLETED']).toContain(status.name);
    expect((await auditBooks(db, new Date(), null, Infinity)).drift).toEqual([]);
  });

  test('pauses at exactly what fits into its budget, and goes on when it is raised', async () => {
    const caller = await service.newCaller(100_000);
    const eventIds = manyIds(12, 100);
    const { body } = await caller.get(`/api/reports/check/${eventIds[0]}`);
    const id = await startBatch(service, caller, {
      eventIds,
      budgetCredits: Math.floor(body.cost_credits * 7.5),
      maxInFlight: 5,
    });
    const paused = await untilHeld(service, id);
    expect(paused).toMatchObject({ status: 'paused', pausedReason: 'budget' });
    expect(paused.rows.running).toBe(0);
    expect(paused.spentCredits).toBeLessThanOrEqual(paused.budgetCredits);
    expect(paused.rows.completed).toBeGreaterThanOrEqual(6);
    expect(await service.batchRuns.change(paused, { budgetCredits: 1 })).toBe('below_spent');
    expect(await service.batchRuns.change(paused, { budgetCredits: 100_000 })).toBe('changed');
    expect(await untilHeld(service, id)).toMatchObject({ status: 'completed', rows: { completed: 12 } });
    expect(await service.batchRuns.change(paused, { status: 'paused' })).toBe('ended');
  });

  test('buys nothing more once it is cancelled, and what runs ends', async () => {
    const caller = await service.newCaller(100_000);
    const id = await startBatch(service, caller, { eventIds: manyIds(40, 200), maxInFlight: 2 });
    const batch = await readBatch(db, id);
    expect(await service.batchRuns.change(batch, { status: 'cancelled' })).toBe('changed');
    const bought = (await readBatch(db, id)).rows;
    expect(bought.waiting).toBeGreaterThan(30);
    await service.temporal.workflow.getHandle(batchWorkflowId(id)).result();
    expect(await readBatch(db, id)).toMatchObject({ status: 'cancelled', rows: { waiting: bought.waiting } });
  });
});
