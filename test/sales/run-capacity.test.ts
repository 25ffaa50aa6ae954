import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { createRunCapacity, type RunCapacityOptions } from '../../sales/run-capacity.js';
import { startGrpcProxy } from '../support/service/grpc-proxy.js';
import { until } from '../support/until.js';

const namespace = 'default';
const stageDeadlinesMs = { opinions: 8_000, cross_review: 8_000, synthesis: 8_000 };
/** `WORKER_VERSIONING_MODE_VERSIONED` and `COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK`. */
const versioned = 2;
const scheduleActivity = 1;

let connection: Connection;
let client: Client;

beforeAll(async () => {
  connection = await Connection.connect({ address: process.env['TEST_TEMPORAL_ADDRESS'] ?? '' });
  client = new Client({ connection, namespace });
});

afterAll(() => connection.close());

test('work that waits on the queue of one member refuses new runs', async () => {
  const [runs, calls] = [`runs-${randomUUID()}`, `calls-${randomUUID()}`];
  const refusal = refusals(runs, [calls]);
  await client.workflow.start('run', { taskQueue: runs, workflowId: runs });
  const { workflowService } = connection;
  const task = await connection.withDeadline(pollsUntil(), () =>
    workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: runs } }),
  );
  expect(await refusal()).toBeNull();
  const time = msToTs('10 minutes');
  const activity = { activityId: '1', activityType: { name: 'ask' }, taskQueue: { name: calls } };
  await workflowService.respondWorkflowTaskCompleted({
    namespace,
    taskToken: task.taskToken,
    commands: [
      {
        commandType: scheduleActivity,
        scheduleActivityTaskCommandAttributes: {
          ...activity,
          scheduleToCloseTimeout: time,
          startToCloseTimeout: time,
        },
      },
    ],
  });
  expect(await untilRefused(refusal)).toMatchObject({ refused: 'unavailable', retryAfterSeconds: 15 });
});

test('work that waits for the current version of the workers refuses new runs', async () => {
  const runs = `runs-${randomUUID()}`;
  const refusal = refusals(runs, []);
  await setCurrentVersion({ deploymentName: runs, buildId: 'a' });
  expect(await refusal()).toBeNull();
  await client.workflow.start('run', { taskQueue: runs, workflowId: runs });
  expect(await untilRefused(refusal)).toMatchObject({ refused: 'unavailable', retryAfterSeconds: 15 });
});

describe('a version whose queues cannot be read', () => {
  test.each([
    ['is no warning where the server has just made it', 9, []],
    ['is a warning otherwise', 13, ['the queues of the current version cannot be read']],
  ])('counts as one without waiting work, and %s', async (_, status, expected) => {
    const proxy = await startGrpcProxy(process.env['TEST_TEMPORAL_ADDRESS'] ?? '');
    const proxied = await Connection.connect({ address: proxy.address });
    try {
      const runs = `runs-${randomUUID()}`;
      await setCurrentVersion({ deploymentName: runs, buildId: 'a' });
      proxy.fail('DescribeWorkerDeploymentVersion', status);
      const warnings: string[] = [];
      const onError = (_error: unknown, what: string) => void warnings.push(what);
      const refusal = refusals(runs, [], { client: new Client({ connection: proxied, namespace }), onError });
      expect(await refusal()).toBeNull();
      expect(warnings).toEqual(expected);
    } finally {
      await proxied.close();
      await proxy.close();
    }
  });
});

function refusals(
  taskQueue: string,
  modelQueues: readonly string[],
  options: Partial<Pick<RunCapacityOptions, 'client' | 'onError'>> = {},
) {
  const now = () => new Date();
  const onError = () => undefined;
  const queues = { taskQueue, modelQueues };
  const capacity = createRunCapacity({ client, now, onError, ...queues, stageDeadlinesMs, ...options });
  return () => capacity.refusalOf('report/another');
}

function untilRefused(refusal: ReturnType<typeof refusals>) {
  return until('new runs are refused', refusal, answer => answer !== null);
}

interface Version {
  /** Also the name of its task queue. */
  readonly deploymentName: string;
  readonly buildId: string;
}

async function setCurrentVersion(version: Version): Promise<void> {
  await poll(version);
  await connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    ...version,
    identity: 'test',
    ignoreMissingTaskQueues: true,
  });
}

/** One poll makes a version known to the server. */
async function poll(version: Version): Promise<void> {
  const { workflowService } = connection;
  const stop = new AbortController();
  const polling = connection.withDeadline(pollsUntil(), () =>
    connection.withAbortSignal(stop.signal, () =>
      workflowService.pollWorkflowTaskQueue({
        namespace,
        taskQueue: { name: version.deploymentName },
        deploymentOptions: { ...version, workerVersioningMode: versioned },
      }),
    ),
  );
  polling.catch(() => undefined);
  await until('the version is known', () =>
    workflowService.describeWorkerDeploymentVersion({ namespace, deploymentVersion: version }).then(
      () => true,
      () => false,
    ),
  );
  stop.abort();
}

/** The server wants a deadline with every poll. */
function pollsUntil(): number {
  return Date.now() + 60_000;
}
