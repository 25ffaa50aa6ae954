import { afterAll, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { readHouseToday } from '../../../db/house/house-day.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { applySearchAttributes } from '../../../platform/temporal/apply-namespace.js';
import { readTemporalManifest } from '../../../platform/temporal/manifest.js';
import { setCurrentVersion } from '../../../platform/temporal/worker-versions.js';
import { runOpenMaxMinutes } from '../../../purchase/limits.js';
import { runDoctor } from '../../cli/doctor/doctor-support.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { runRound } from '../../support/service/run-maintenance.js';
import type { TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const eventId = 'sample-fed-cut-2031';
/** Longer than a purchase may take, so that none is timed out before it is charged. */
const runOpenMaxMs = 45_000;
const { deployment_name: deploymentName } = readTemporalManifest(projectFiles.temporalManifest).versioning;

let isHeld = true;
const workers: ReturnType<TestService['newWorker']>[] = [];
// Before the hook that stops their service.
afterAll(() => Promise.all(workers.map(worker => worker.stop())));
const service = await useTestService({
  namespace: await ownNamespace(),
  worker: false,
  runOpenMaxMs,
  around: real => ({
    ...real,
    askOpinion: call => (isHeld ? Promise.reject(new Error('the opinions are held')) : real.askOpinion(call)),
  }),
});
await applySearchAttributes({ ...target(), manifest: service.manifest });

function target() {
  return { connection: service.temporal.connection, namespace: service.manifest.namespace };
}

async function startWorker(buildId: string) {
  const worker = service.newWorker({ version: { deploymentName, buildId } });
  workers.push(worker);
  await worker.start();
  return worker;
}

const makeCurrent = (buildId: string) =>
  setCurrentVersion(target(), { deploymentName, buildId }, service.manifest);

/** What `doctor` says about workers when every poll of a stopped worker is old. */
async function lostBuilds(): Promise<readonly string[]> {
  const { findings } = await runDoctor(
    {
      TEMPORAL_ADDRESS: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
      TEMPORAL_NAMESPACE: service.manifest.namespace,
    },
    () => Date.now() + 100_000,
  );
  return findings
    .filter(({ check, state }) => check === 'worker' && state === 'problem')
    .map(({ detail }) => detail);
}

const committedAt = async (ms: number) =>
  (await readHouseToday(service.database.db, { simulated: true, now: new Date(ms) })).all.committedUsdMicros;

test('a run whose build is gone is named, times out, is refunded exactly, and can be bought again', async () => {
  const removed = await startWorker('removed');
  await startWorker('present');
  await makeCurrent('removed');
  const caller = await service.newCaller(500);
  const { body } = await caller.buy(eventId);
  const charged = body.credits_spent;
  expect(await caller.balance()).toBe(500 - charged);
  await removed.stop();

  expect(await until('the doctor names the build', lostBuilds, ({ length }) => length > 0)).toEqual([
    'no worker of build removed runs, and open runs wait for it',
  ]);
  expect((await caller.buy(eventId)).body).toMatchObject({ report_id: body.report_id, credits_spent: 0 });
  expect(await committedAt(Date.now())).toBeGreaterThan(0);
  expect(await committedAt(Date.now() + runOpenMaxMinutes * 60_000)).toBe(0);

  const run = service.temporal.workflow.getHandle(caller.workflowId(eventId));
  await until(
    'the run has ended',
    () => run.describe(),
    ({ status }) => status.name !== 'RUNNING',
  );
  expect((await run.describe()).status.name).toBe('TIMED_OUT');
  await makeCurrent('present');
  expect(await runRound(service, 'release-stranded-runs')).toMatchObject({ released: 1, failed: 0 });
  expect((await caller.get(`/api/reports/${body.report_id}`)).body.failure).toMatchObject({
    code: 'abandoned',
  });
  expect(await caller.balance()).toBe(500);
  expect(await committedAt(Date.now())).toBe(0);
  expect(await lostBuilds()).toEqual([]);

  isHeld = false;
  const again = await caller.buy(eventId);
  expect(again.body.report_id).not.toBe(body.report_id);
  expect(await caller.untilEnded(again.body.report_id)).toMatchObject({ status: 'completed' });
  expect((await caller.ledger()).map(({ kind }) => kind)).toEqual(['charge', 'refund', 'charge', 'grant']);
  expect((await auditBooks(service.database.db, new Date())).drift).toEqual([]);
}, 240_000);
