import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { grpcCompression } from '../../../platform/temporal/connection.js';
import { inLanes, steadyLoad } from '../load/steady-load.js';
import { rounded } from '../results/measurement.js';
import { cpuSeconds } from '../results/process-usage.js';
import { temporalCpuSeconds } from '../results/server-processes.js';
import type { BenchedService } from '../services/with-service.js';
import type { bareRun } from './bare-workflow.js';

const taskQueue = 'bare';
const warmUpRuns = 80;
const warmUpInFlight = 50;

type MeasureBareRuns = (load: { inFlight: number; runs: number }) => Promise<BareFigures>;

/**
 * The throughput of Temporal alone: runs with as many steps as a report, without database, API and models.
 */
export async function withBareRuns<Result>(
  service: BenchedService,
  use: (measure: MeasureBareRuns) => Promise<Result>,
): Promise<Result> {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger });
  const { namespace, worker: slots } = service.manifest;
  const workflowsPath = join(projectFiles.root, 'dist/tools/bench/bare/bare-workflow.js');
  const address = service.temporalAddress;
  const connection = await NativeConnection.connect({ address, grpcCompression: grpcCompression(address) });
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: await bundleWorkflowCode({ workflowsPath, logger }),
    activities: { nothing: () => Promise.resolve() },
    maxConcurrentActivityTaskExecutions: slots.activity_slots,
    maxEagerActivityReservationsPerWorkflowTask: slots.eager_activities_per_workflow_task,
  });
  const client = new Client({ connection, namespace });
  let started = 0;
  const run = async () => {
    await client.workflow.execute<typeof bareRun>('bareRun', { taskQueue, workflowId: `bare-${++started}` });
  };
  const result = await worker.runUntil(async () => {
    await inLanes(warmUpRuns, warmUpInFlight, run);
    return use(load => measure(service, load, run));
  });
  await connection.close();
  return result;
}

async function measure(
  service: BenchedService,
  { inFlight, runs }: { inFlight: number; runs: number },
  run: () => Promise<void>,
) {
  const { ended, seconds, first, last } = await steadyLoad({ times: runs, atOnce: inFlight }, run, () => ({
    temporal: temporalCpuSeconds(service.servers),
    own: cpuSeconds(process.pid),
  }));
  const perRun = (cpu: number) => rounded((1_000 * cpu) / ended, 1);
  return {
    in_flight: inFlight,
    runs_per_second: rounded(ended / seconds),
    temporal_cpu_ms_per_run: perRun(last.temporal - first.temporal),
    /** Worker and caller are one process. */
    worker_and_caller_cpu_ms_per_run: perRun(last.own - first.own),
  };
}

export type BareFigures = Awaited<ReturnType<typeof measure>>;
