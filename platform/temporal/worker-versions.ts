import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ConnectionLike } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { isNotFound } from './grpc-status.js';
import { modelQueues, type TemporalManifest } from './manifest.js';

/** One build of the workers, as Temporal's worker versioning names it. */
export interface WorkerVersion {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** Where a version is looked up or set. */
export interface VersionTarget {
  readonly connection: ConnectionLike;
  readonly namespace: string;
}

/**
 * The build id of a workflow bundle: a hash of its code. Two builds of the same workflows have the same id, so an
 * update that leaves the workflows alone changes no version. The source map is left out because it holds absolute
 * paths.
 */
export function buildIdOf(bundle: string): string {
  const code = bundle.replace(/^\/\/# sourceMappingURL=.*$/gm, '');
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}

/**
 * Makes a version the current one: new runs start on it, and runs that began on another version stay there. Waits until
 * its workers poll every task queue first, because runs of a version wait for its own workers and for no others.
 *
 * @throws Error that names the queues that no worker of this version polls within a minute
 */
export async function setCurrentVersion(
  target: VersionTarget,
  version: WorkerVersion,
  manifest: TemporalManifest,
  { waitMs = pollsKnownWithinMs } = {},
): Promise<void> {
  await untilPolled(target, version, queuesOf(manifest), waitMs);
  await target.connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: target.namespace,
    ...version,
    identity: 'council-launcher',
    // This was checked above. The server's own check takes seconds and overlooks idle queues.
    ignoreMissingTaskQueues: true,
  });
}

/** Routes new runs to unversioned workers again. Nothing to do where the deployment never had a version. */
export async function setUnversionedCurrent(
  { connection, namespace }: VersionTarget,
  deploymentName: string,
): Promise<void> {
  const builds = await buildsOf({ connection, namespace }, deploymentName);
  if (builds.size === 0) return;
  await connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    deploymentName,
    buildId: '',
    identity: 'council-launcher',
    ignoreMissingTaskQueues: true,
  });
}

/** The builds that open runs are pinned to. Empty where no worker of the deployment has ever polled. */
export async function buildsWithOpenRuns(
  { connection, namespace }: VersionTarget,
  deploymentName: string,
): Promise<readonly string[]> {
  const { workflow } = new Client({ connection, namespace });
  const inUse: string[] = [];
  for (const buildId of await buildsOf({ connection, namespace }, deploymentName)) {
    const version = `${deploymentName}:${buildId}`;
    const { count } = await workflow.count(
      `TemporalWorkerDeploymentVersion = '${version}' AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'`,
    );
    if (count > 0) inUse.push(buildId);
  }
  return inUse;
}

/**
 * The builds with open runs that no worker polls for: these runs wait, and after `runOpenMaxMinutes` they are refunded.
 * @param now in epoch milliseconds
 */
export async function buildsWithoutWorkers(
  target: VersionTarget,
  deploymentName: string,
  { taskQueue, now }: { readonly taskQueue: string; readonly now: number },
): Promise<readonly string[]> {
  const builds = await buildsWithOpenRuns(target, deploymentName);
  if (builds.length === 0) return [];
  const polled = new Set(
    (await livePollers(target, taskQueue, now)).map(({ deploymentOptions }) => deploymentOptions?.buildId),
  );
  return builds.filter(buildId => !polled.has(buildId));
}

/** A worker polls at least once a minute; the server remembers pollers for five minutes. */
const pollIntervalMaxMs = 90_000;

/** Who polls a queue for workflow tasks. @param now in epoch milliseconds */
export async function livePollers(
  { connection, namespace }: VersionTarget,
  taskQueue: string,
  now: number,
): Promise<readonly Poller[]> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: queueType.workflow,
  });
  return (pollers ?? []).filter(poller => now - tsToMs(poller.lastAccessTime) < pollIntervalMaxMs);
}

type Poller = Awaited<ReturnType<ConnectionLike['workflowService']['describeTaskQueue']>>['pollers'][number];

const pollsKnownWithinMs = 60_000;
const lookEveryMs = 100;

async function untilPolled(
  target: VersionTarget,
  version: WorkerVersion,
  queues: readonly string[],
  waitMs: number,
): Promise<void> {
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const polled = await polledQueues(target, version);
    const missing = queues.filter(queue => !polled.has(queue));
    if (missing.length === 0) return;
    if (Date.now() > giveUpAt) {
      throw new Error(
        `No worker of version ${version.deploymentName}:${version.buildId} polls ${missing.join(', ')}.`,
      );
    }
    await pause(lookEveryMs);
  }
}

/** `temporal.api.enums.v1.TaskQueueType`: a queue registers workflows and activities separately. */
export const queueType = { workflow: 1, activity: 2 } as const;

function queuesOf(manifest: TemporalManifest): readonly string[] {
  return [
    `${manifest.task_queue}:${queueType.workflow}`,
    `${manifest.task_queue}:${queueType.activity}`,
    `${manifest.webhooks.task_queue}:${queueType.activity}`,
    ...Object.values(modelQueues(manifest)).map(queue => `${queue}:${queueType.activity}`),
  ];
}

function polledQueues(
  { connection, namespace }: VersionTarget,
  deploymentVersion: WorkerVersion,
): Promise<ReadonlySet<string>> {
  return emptyIfUnknown(async () => {
    const { workerDeploymentVersionInfo: info } =
      await connection.workflowService.describeWorkerDeploymentVersion({ namespace, deploymentVersion });
    return (info?.taskQueueInfos ?? []).map(({ name, type }) => `${name}:${type}`);
  });
}

function buildsOf(
  { connection, namespace }: VersionTarget,
  deploymentName: string,
): Promise<ReadonlySet<string>> {
  return emptyIfUnknown(async () => {
    const { workerDeploymentInfo: info } = await connection.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    return (info?.versionSummaries ?? []).flatMap(({ deploymentVersion, drainageInfo }) =>
      deploymentVersion?.buildId && Number(drainageInfo?.status) !== drained
        ? [deploymentVersion.buildId]
        : [],
    );
  });
}

/** `temporal.api.enums.v1.VersionDrainageStatus`: no open run is pinned to the version, and none starts on it. */
const drained = 2;

/** Temporal learns of a deployment and of a version from the first poll; until then it answers NOT_FOUND. */
async function emptyIfUnknown(read: () => Promise<readonly string[]>): Promise<ReadonlySet<string>> {
  try {
    return new Set(await read());
  } catch (error) {
    if (isNotFound(error)) return new Set();
    throw error;
  }
}
