import { afterAll, expect, test } from '@jest/globals';
import type { WorkerQueue } from '../../../platform/settings/setting-values.js';
import { longDeadlines, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const workers: ReturnType<TestService['newWorker']>[] = [];
// Before the hook that stops their service.
afterAll(() => Promise.all(workers.map(worker => worker.stop())));
const service = await useTestService({ worker: false, stageDeadlinesMs: longDeadlines });
const caller = await service.newCaller(1_000);

async function startWorker(...queues: readonly WorkerQueue[]): Promise<void> {
  const worker = service.newWorker({ queues });
  workers.push(worker);
  await worker.start();
}

test('a worker of runs leaves the calls to models to a worker of theirs, and together they finish a report', async () => {
  await startWorker('reports');
  const sold = await caller.buy('sample-fed-cut-2031');
  expect(sold.status).toBe(202);
  const { report_id: reportId } = sold.body;
  const run = await service.database.db
    .selectFrom('reports')
    .select('workflow_id')
    .where('id', '=', reportId)
    .executeTakeFirstOrThrow();
  const handle = service.temporal.workflow.getHandle(run.workflow_id);
  await until('the calls to the members wait', async () => {
    const { raw } = await handle.describe();
    const calls = raw.pendingActivities ?? [];
    return calls.length > 0 && calls.every(({ activityType }) => activityType?.name?.startsWith('ask'));
  });
  expect(service.simulator.calls).toHaveLength(0);

  await startWorker('model-calls', 'webhooks');
  await caller.untilEnded(reportId);
  const { body } = await caller.get(`/api/reports/${reportId}`);
  expect(body.status).toBe('completed');
  expect(service.simulator.calls.length).toBeGreaterThan(0);
});
