import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { StageDeadlines } from '../platform/settings/setting-values.js';
import { grpcFailure, grpcStatus } from '../platform/temporal/grpc-status.js';
import { queueType } from '../platform/temporal/worker-versions.js';
import { isRefusal, type PurchaseOutcome, reportNotStarted } from '../purchase/purchase.js';
import type { Refusal } from '../purchase/refusal.js';

/** Whether a new run would be worked on in time. Asked before a purchase, so that nobody pays for a run that waits. */
export interface RunCapacity {
  /** @returns the refusal that the purchase gets; null when the run can start */
  refusalOf(workflowId: string): Promise<Refusal | null>;
  /** Sends the purchase to its run, unless it would not be answered in time. @returns its answer, or the refusal */
  admit(send: () => Promise<PurchaseOutcome>): Promise<PurchaseOutcome>;
}

export interface RunCapacityOptions {
  readonly client: Client;
  /** The queue of the runs. */
  readonly taskQueue: string;
  /** The queues of the members' calls; none when these share the queue of the runs. */
  readonly modelQueues: readonly string[];
  readonly stageDeadlinesMs: StageDeadlines;
  readonly now: () => Date;
  readonly onError: (error: unknown, what: string) => void;
}

/** The caller has its answer within two seconds, whichever part of Temporal is away. */
const reachableWithinMs = 1_500;
/** How often purchases read the queues at most, at any load. The server refreshes its figures every five seconds. */
const queuesReadEveryMs = 1_000;
/** A purchase waits eight seconds for its answer. One that waits longer than this is a sign of too many. */
const slowAfterMs = 3_000;
/** This number is sent however slow the others are: otherwise nobody would notice that answers arrive again. */
const alwaysAdmitted = 2;
/** The statistics of a version are a hint: without them the queues count as empty. */
const versionReadWithinMs = 700;

/**
 * Asks each part of Temporal that a purchase needs: the history service for the workflow of this very run, whose shard
 * may be away while others answer, and the matching service for its queues. The frontend alone answers while the
 * others are down.
 */
export function createRunCapacity(options: RunCapacityOptions): RunCapacity {
  const { client, now, onError } = options;
  const maxWaitMs = bearableWaitMs(options.stageDeadlinesMs);
  const readLongestWaitMs = atMostEvery(queuesReadEveryMs, now, () => longestWaitMs(options));
  return {
    admit: admission(now),
    async refusalOf(workflowId) {
      try {
        const [waitMs] = await client.withDeadline(now().getTime() + reachableWithinMs, () =>
          Promise.all([readLongestWaitMs(), findRun(client, workflowId)]),
        );
        return waitMs > maxWaitMs ? overloaded : null;
      } catch (error) {
        onError(error, 'Temporal is unavailable');
        return reportNotStarted;
      }
    },
  };
}

/** A stage still has most of its time after this wait. A burst that passes within seconds refuses nobody. */
function bearableWaitMs(stageDeadlinesMs: StageDeadlines): number {
  return Math.max(5_000, Math.min(...Object.values(stageDeadlinesMs)) / 4);
}

/**
 * Bounds the purchases in flight of this process by the rate at which they are answered: while one is slow, no more are
 * sent than were answered within the time that one may take. Whatever makes them slow, those that are sent are answered.
 */
function admission(now: () => Date): RunCapacity['admit'] {
  /** When the purchases in flight were sent, the oldest first. */
  const inFlight = new Set<{ readonly sentAtMs: number }>();
  let answeredAtMs: number[] = [];
  return async send => {
    const sentAtMs = now().getTime();
    answeredAtMs = answeredAtMs.filter(each => sentAtMs - each < slowAfterMs);
    const [oldest] = inFlight;
    const isSlow = oldest !== undefined && sentAtMs - oldest.sentAtMs >= slowAfterMs;
    if (isSlow && inFlight.size >= Math.max(alwaysAdmitted, answeredAtMs.length)) return overloaded;
    const sent = { sentAtMs };
    inFlight.add(sent);
    try {
      const answer = await send();
      if (!isGivenUp(answer)) answeredAtMs.push(now().getTime());
      return answer;
    } finally {
      inFlight.delete(sent);
    }
  };
}

/** Answered because its time was over: that says nothing of what can be answered. */
function isGivenUp(answer: PurchaseOutcome): boolean {
  return answer !== 'fresh_needed' && isRefusal(answer) && answer.refused === 'unavailable';
}

const overloaded: Refusal = {
  refused: 'unavailable',
  detail:
    'The service has more reports to run than it can finish in time. Nothing was charged; try again later.',
  retryAfterSeconds: 15,
};

async function findRun({ workflow }: Client, workflowId: string): Promise<void> {
  try {
    await workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/**
 * How long the oldest task waits in the queues of new runs: the queues of the current version of the workers, or of the
 * workers without versions. Runs pinned to an older version wait in queues of their own, and take nothing from new
 * runs.
 */
async function longestWaitMs(options: RunCapacityOptions): Promise<number> {
  const { client, taskQueue, modelQueues } = options;
  const runs = await describeQueue(client, taskQueue, queueType.workflow);
  const version = runs.versioningInfo?.currentDeploymentVersion;
  if (version) return versionWaitMs(options, version);
  const calls = [taskQueue, ...modelQueues].map(queue => describeQueue(client, queue, queueType.activity));
  return longest([runs, ...(await Promise.all(calls))].map(({ stats }) => stats));
}

function describeQueue({ workflowService, options }: Client, name: string, taskQueueType: number) {
  const { namespace } = options;
  return workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name },
    taskQueueType,
    reportStats: true,
  });
}

type Version = NonNullable<
  NonNullable<Awaited<ReturnType<typeof describeQueue>>['versioningInfo']>['currentDeploymentVersion']
>;

async function versionWaitMs(
  { client, now, onError }: RunCapacityOptions,
  deploymentVersion: Version,
): Promise<number> {
  const { namespace } = client.options;
  try {
    const { versionTaskQueues } = await client.withDeadline(now().getTime() + versionReadWithinMs, () =>
      client.workflowService.describeWorkerDeploymentVersion({
        namespace,
        deploymentVersion,
        reportTaskQueueStats: true,
      }),
    );
    return longest(versionTaskQueues.map(({ stats }) => stats));
  } catch (error) {
    if (!isNewVersion(error)) onError(error, 'the queues of the current version cannot be read');
    return 0;
  }
}

/** The server keeps each version in a workflow, which cannot be asked before its first task has run. */
function isNewVersion(error: unknown): boolean {
  return grpcFailure(error)?.code === grpcStatus.failedPrecondition;
}

type Stats = Awaited<ReturnType<typeof describeQueue>>['stats'];

function longest(stats: readonly Stats[]): number {
  return Math.max(
    0,
    ...stats.map(each => {
      const age = each?.approximateBacklogAge;
      return Number(age?.seconds ?? 0) * 1_000 + (age?.nanos ?? 0) / 1_000_000;
    }),
  );
}

/** Shares one reading among the callers of an interval. A failed reading is not kept. */
function atMostEvery<Value>(ms: number, now: () => Date, read: () => Promise<Value>): () => Promise<Value> {
  let latest: { readonly atMs: number; readonly value: Promise<Value> } | null = null;
  return async () => {
    const atMs = now().getTime();
    if (latest === null || atMs - latest.atMs >= ms) latest = { atMs, value: read() };
    const { value } = latest;
    return value.catch(error => {
      if (latest?.value === value) latest = null;
      throw error;
    });
  };
}
