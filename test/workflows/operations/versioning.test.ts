import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type BundleOptions, bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import {
  buildIdOf,
  buildsWithOpenRuns,
  setCurrentVersion,
  type WorkerVersion,
} from '../../../platform/temporal/worker-versions.js';
import { longDeadlines, type TestService } from '../../support/service/test-service.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const deploymentName = `test-${randomUUID()}`;
const present: WorkerVersion = { deploymentName, buildId: 'present' };
const next: WorkerVersion = { deploymentName, buildId: 'next' };

const workers: ReturnType<TestService['newWorker']>[] = [];
// Before the hook that stops their service.
afterAll(() => Promise.all(workers.map(worker => worker.stop())));
const service = await useTestService({ worker: false, stageDeadlinesMs: longDeadlines });
const nextBuild = { code: await bundleOf('test/workflows/support/next-build.ts') };
workers.push(
  service.newWorker({ version: present }),
  service.newWorker({ version: next, workflowBundle: nextBuild }),
);
await Promise.all(workers.map(worker => worker.start()));
const caller = await service.newCaller(5_000);

async function bundleOf(file: string): Promise<string> {
  const options: BundleOptions = { workflowsPath: resolve(file), logger: new DefaultLogger('ERROR') };
  const { code } = await bundleWorkflowCode(options);
  return code;
}

function target() {
  const { connection } = service.temporal;
  return { connection, namespace: service.manifest.namespace };
}

async function buy(eventId: string): Promise<number> {
  const { body } = await caller.buy(eventId);
  return Number(body.report_id);
}

function untilCompleted(reportId: number): Promise<unknown> {
  return until(`report ${reportId} is completed`, async () => {
    const { body } = await caller.get(`/api/reports/${reportId}`);
    return body.status === 'completed';
  });
}

/** The build that the run of a report is on, and the memo that only the next build writes. */
async function buildOf(reportId: number): Promise<{ buildId: string | undefined; memo: unknown }> {
  const query = `ReportId = ${reportId} AND TaskQueue = '${service.manifest.task_queue}'`;
  const found = await until(`the run of report ${reportId} is listed`, async () => {
    for await (const run of service.temporal.workflow.list({ query })) return run;
    return null;
  });
  const run = await service.temporal.workflow.getHandle(found?.workflowId ?? '').describe();
  const version = run.raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion;
  return { buildId: version?.buildId ?? undefined, memo: run.memo?.['build'] };
}

describe('two builds of the workflows side by side', () => {
  test('a run ends on the build it began on, and a new run starts on the current build, also after a rollback', async () => {
    await setCurrentVersion(target(), present, service.manifest);
    const release = service.simulator.hold({ stage: 'opinions' });
    const begunOnPresent = await buy('sample-fed-cut-2031');

    await setCurrentVersion(target(), next, service.manifest);
    const begunOnNext = await buy('sample-oil-ladder-2031');

    await setCurrentVersion(target(), present, service.manifest);
    const begunAfterRollback = await buy('sample-calder-mayor-2031');

    expect(
      await until('both builds have open runs', async () => {
        const builds = await buildsWithOpenRuns(target(), deploymentName);
        return builds.length === 2 ? [...builds].sort() : null;
      }),
    ).toEqual(['next', 'present']);
    release();
    for (const reportId of [begunOnPresent, begunOnNext, begunAfterRollback]) await untilCompleted(reportId);
    expect(await buildOf(begunOnPresent)).toEqual({ buildId: 'present', memo: undefined });
    expect(await buildOf(begunOnNext)).toEqual({ buildId: 'next', memo: 'next' });
    expect(await buildOf(begunAfterRollback)).toEqual({ buildId: 'present', memo: undefined });
  }, 120_000);

  test('a version that no worker polls is not made current', async () => {
    const unknown = { deploymentName, buildId: 'never-started' };
    await expect(setCurrentVersion(target(), unknown, service.manifest, { waitMs: 300 })).rejects.toThrow(
      /No worker of version .*never-started polls/,
    );
  });
});

describe('the build id of a workflow bundle', () => {
  test('changes with the code and not with the folder it was built in', () => {
    const at = (folder: string, code: string) => `${code}\n//# sourceMappingURL=data:${folder}\n`;
    expect(buildIdOf(at('/one', 'a'))).toBe(buildIdOf(at('/two', 'a')));
    expect(buildIdOf(at('/one', 'a'))).not.toBe(buildIdOf(at('/one', 'b')));
  });
});
