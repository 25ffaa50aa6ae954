import {
  type NativeConnection,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { councilModels } from '../../council/models.js';
import type { WorkerQueue } from '../../platform/settings/setting-values.js';
import { traceActivity } from '../../platform/telemetry/tracing.js';
import { modelQueues, type TemporalManifest } from '../../platform/temporal/manifest.js';
import type { WorkerVersion } from '../../platform/temporal/worker-versions.js';
import type { BatchActivities } from '../batches/batch-activities.js';
import type { RefitActivities } from '../estimate/refit-activities.js';
import type { GradingActivities } from '../grading/grading-activities.js';
import type { MaintenanceActivities } from '../maintenance/maintenance-activities.js';
import type { ModelCallActivities, ReportActivities } from '../report/report-activities.js';
import type { WebhookActivities } from '../webhooks/webhook-activities.js';

export interface WorkerSetup {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly manifest: TemporalManifest;
  readonly workflowBundle: WorkflowBundleOption;
  /** The other queues are left to other workers. */
  readonly queues: readonly WorkerQueue[];
  /** Unset: the workers are not versioned, and serve every run that is pinned to no version. */
  readonly version?: WorkerVersion | undefined;
  readonly activities: ReportActivities &
    MaintenanceActivities &
    GradingActivities &
    RefitActivities &
    BatchActivities &
    WebhookActivities;
}

/** All that one process works on. */
export interface Workers {
  /** Works until the promise settles, then finishes what it has begun. Rejects when one of them fails. */
  runUntil(asked: Promise<unknown>): Promise<void>;
}

/** The workers of a process, sized as `temporal.yaml` says. */
export async function createWorkers(setup: WorkerSetup): Promise<Workers> {
  const workers = await Promise.all(setup.queues.flatMap(queue => createWorkersOf[queue](setup)));
  return {
    runUntil: async asked => {
      const failed = new AbortController();
      const end = Promise.race([
        asked,
        new Promise(resolve => failed.signal.addEventListener('abort', resolve)),
      ]);
      await Promise.all(
        workers.map(worker =>
          worker.runUntil(end).catch(error => {
            // One that fails takes the others along: a process that works on half of it looks well and is not.
            failed.abort();
            throw error;
          }),
        ),
      );
    },
  };
}

const createWorkersOf: Readonly<Record<WorkerQueue, (setup: WorkerSetup) => readonly Promise<Worker>[]>> = {
  reports: setup => [createRunWorker(setup)],
  'model-calls': createCallWorkers,
  webhooks: setup => [createWebhookWorker(setup)],
};

/** It knows the calls to models too: runs that were started before these had queues wait for them here. */
function createRunWorker({
  manifest,
  activities,
  workflowBundle,
  version,
  connection,
  namespace,
}: WorkerSetup): Promise<Worker> {
  const { worker, task_queue } = manifest;
  return Worker.create({
    connection,
    namespace,
    ...versioning(version),
    taskQueue: task_queue,
    workflowBundle,
    activities,
    interceptors,
    maxHeartbeatThrottleInterval,
    maxConcurrentWorkflowTaskExecutions: worker.workflow_task_slots,
    maxConcurrentActivityTaskExecutions: worker.activity_slots,
    maxEagerActivityReservationsPerWorkflowTask: worker.eager_activities_per_workflow_task,
    shutdownGraceTime: worker.shutdown_grace_ms,
  });
}

function createCallWorkers(setup: WorkerSetup): Promise<Worker>[] {
  const { activities, manifest } = setup;
  const { slots, per_second } = manifest.model_calls;
  const queues = modelQueues(manifest);
  const calls: ModelCallActivities = {
    askResearch: call => activities.askResearch(call),
    askOpinion: call => activities.askOpinion(call),
    askReview: call => activities.askReview(call),
    askSynthesis: call => activities.askSynthesis(call),
    askMarketGap: call => activities.askMarketGap(call),
  };
  return councilModels.map(model =>
    createActivityWorker(setup, {
      taskQueue: queues[model],
      activities: calls,
      maxConcurrentActivityTaskExecutions: slots,
      maxTaskQueueActivitiesPerSecond: per_second[model],
    }),
  );
}

function createWebhookWorker(setup: WorkerSetup): Promise<Worker> {
  const { activities, manifest } = setup;
  const tries: WebhookActivities = { tryDelivery: deliveryId => activities.tryDelivery(deliveryId) };
  return createActivityWorker(setup, {
    taskQueue: manifest.webhooks.task_queue,
    activities: tries,
    maxConcurrentActivityTaskExecutions: manifest.webhooks.slots,
  });
}

/** Takes activities from a queue of their own. */
function createActivityWorker(
  { connection, namespace, version, manifest }: WorkerSetup,
  options: Pick<
    WorkerOptions,
    'taskQueue' | 'activities' | 'maxConcurrentActivityTaskExecutions' | 'maxTaskQueueActivitiesPerSecond'
  >,
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    ...versioning(version),
    ...options,
    interceptors,
    maxHeartbeatThrottleInterval,
    maxConcurrentActivityTaskPolls: callPollers,
    shutdownGraceTime: manifest.worker.shutdown_grace_ms,
  });
}

/**
 * A run stays on the build it began on (`PINNED`), with all its activities, so that a deploy never changes the code
 * under a run. Long-lived workflows choose `AUTO_UPGRADE` where they are defined.
 */
function versioning(version: WorkerVersion | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (version === undefined) return {};
  return {
    workerDeploymentOptions: { useWorkerVersioning: true, version, defaultVersioningBehavior: 'PINNED' },
  };
}

const interceptors = { activity: [traceActivity] };

/** By default the SDK keeps heartbeats back for 0.8 of their time-out: a server that fails over then is away too long. */
const maxHeartbeatThrottleInterval = '1 second';

/** Calls and tries are long: few pollers hand out more of them than any vendor or receiver allows. */
const callPollers = 2;
