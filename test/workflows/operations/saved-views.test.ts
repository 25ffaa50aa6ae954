import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { manifestFor, readTemporalManifest } from '../../../platform/temporal/manifest.js';
import { setCurrentVersion } from '../../../platform/temporal/worker-versions.js';
import { deliveryWorkflow } from '../../../purchase/webhooks.js';
import { batchWorkflowId } from '../../../workflows/batch-interface.js';
import type { maintenance } from '../../../workflows/maintenance.js';
import { askForBatch } from '../../support/ask-for-batch.js';
import { startRealService } from '../../support/service/real-service.js';
import { maintenanceOptions } from '../../support/service/run-maintenance.js';
import { until } from '../../support/until.js';
import { beginRuns, operatedRuns } from '../support/operated-runs.js';

/** Runs every query of the table of views in docs/operations.md against workflows of every kind. */
const views = new Map(
  [...section('Saved views of the Temporal UI').matchAll(/^\| ([^|]+) \| `([^`]+)` \| [^|]+ \|$/gm)].map(
    ([, name = '', query = '']) => [name, query],
  ),
);
const buildId = 'present';
// A member that hangs at its review keeps runs at this stage during the whole test. No receiver takes the webhooks.
const service = await startRealService({
  STAGE_DEADLINES_MS: '60000,600000,60000',
  TEMPORAL_WORKER_BUILD_ID: buildId,
  WEBHOOK_TARGETS: 'any',
});
afterAll(() => service.stop());
const { workflow, connection } = service.temporal;
const manifest = manifestFor(['sample'], readTemporalManifest(projectFiles.temporalManifest));
const owner = await service.newCaller(1_000);
const other = await service.newCaller(1_000);
const runs = operatedRuns();
const cancelledEvent = 'sample-oil-ladder-2031';
const rowEvent = 'sample-calder-mayor-2031';
const [cancelled, row] = [owner.workflowId(cancelledEvent), other.workflowId(rowEvent)];
const [batch, deliveries] = [{ id: '' }, { ids: ['', ''] }];

function section(title: string): string {
  const text = readFileSync('docs/operations.md', 'utf8');
  return text.split(/^## /m).find(part => part.startsWith(`${title}\n`)) ?? '';
}

async function listed(query: string): Promise<string[]> {
  const ids = new Set<string>();
  for await (const { workflowId } of workflow.list({ query })) ids.add(workflowId);
  return [...ids].toSorted();
}

async function pendingDeliveries(): Promise<string[]> {
  const pending = "select id from webhook_deliveries where status = 'pending' and handed_over_at is not null";
  const { rows } = await service.database.pool.query(pending);
  return rows.map(({ id }) => deliveryWorkflow.idOf(id));
}

beforeAll(async () => {
  const deploymentName = manifest.versioning.deployment_name;
  const target = { connection, namespace: service.namespace };
  await setCurrentVersion(target, { deploymentName, buildId }, manifest);
  const webhook = { url: 'http://127.0.0.1:9/', types: ['report.completed'] };
  expect((await owner.post('/api/webhooks', webhook, { as: 'session' })).status).toBe(201);
  await beginRuns(service, { owner, other }, runs);
  await owner.buy(cancelledEvent);
  await workflow.getHandle(cancelled).cancel();
  await workflow.getHandle(runs.hopeless.workflowId).terminate();
  batch.id = (await askForBatch(other, { events: [rowEvent] })).body.batch_id;
  // A round that finds a fault fails the run of the duty.
  const { pool } = service.database;
  await pool.query('alter table report_purchases disable trigger purchases_end_once');
  await pool.query("update report_purchases set credits = credits + 1 where state = 'refunded'");
  await workflow.start<typeof maintenance>('maintenance', {
    ...maintenanceOptions({ manifest }, 'check-ledger', 1),
    workflowId: 'maintenance/check-ledger',
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
  });
  deliveries.ids = await until('both deliveries are tried', pendingDeliveries, ids => ids.length === 2);
  await until('the visibility store lists what has ended and what goes on', async () => {
    const ended = await workflow.count(
      "WorkflowType = 'councilReport' AND ExecutionStatus != 'Running' AND ReportId > 0",
    );
    const running = await workflow.count(
      "WorkflowType IN ('councilReport', 'webhookDelivery', 'reportBatch') AND ExecutionStatus = 'Running'",
    );
    const failed = await workflow.count("ExecutionStatus = 'Failed' AND WorkflowType = 'maintenance'");
    return ended.count === 5 && running.count === 5 && failed.count > 0;
  });
}, 180_000);

interface Expected {
  /** What is put in the place of a part of the query. */
  readonly given?: () => readonly [string, string];
  readonly finds: () => readonly string[];
}

const idsOf = (...names: (keyof typeof runs)[]) => names.map(name => runs[name].workflowId);

const expected: Record<string, Expected> = {
  'Running now': { finds: () => [...idsOf('running'), row] },
  // The runs of this test are faster than that.
  Slow: {
    given: () => ['2m', '1ms'],
    finds: () => [...idsOf('completed', 'degraded', 'failed', 'hopeless'), cancelled],
  },
  Degraded: { finds: () => idsOf('degraded') },
  Failed: { finds: () => idsOf('failed') },
  'Failed by us': { finds: () => idsOf('hopeless') },
  Cancelled: { finds: () => [cancelled] },
  Refunded: { finds: () => [...idsOf('failed', 'hopeless'), cancelled] },
  'One account': {
    given: () => ['ACCOUNT', owner.accountId],
    finds: () => [...idsOf('completed', 'degraded', 'failed'), cancelled],
  },
  'One event': { given: () => ['EVENT', runs.failed.eventId], finds: () => idsOf('failed') },
  'One batch': { given: () => ['BATCH', batch.id], finds: () => [batchWorkflowId(batch.id), row] },
  Batches: { finds: () => [batchWorkflowId(batch.id)] },
  'Webhooks pending': { finds: () => deliveries.ids },
  Duties: {
    finds: () => Object.keys(manifest.maintenance_every_seconds).map(duty => `maintenance/${duty}`),
  },
  'Duties that failed': { finds: () => ['maintenance/check-ledger'] },
  'Older builds': { given: () => ['BUILD', 'next'], finds: () => [...idsOf('running'), row] },
};

test("the operators' document has one expectation for each of its views, in the same order", () => {
  expect(Object.keys(expected)).toEqual([...views.keys()]);
});

test.each(Object.entries(expected))('%s', async (name, { given, finds }) => {
  const [part, value] = given?.() ?? ['', ''];
  const query = views.get(name)?.replace(part, value) ?? 'the view is gone';
  expect(await listed(query)).toEqual([...finds()].toSorted());
});

test('no run is slow, and none is of an older build than that of its worker', async () => {
  expect(await listed(views.get('Slow') ?? '')).toEqual([]);
  expect(await listed(views.get('Older builds')?.replace('BUILD', buildId) ?? '')).toEqual([]);
});
