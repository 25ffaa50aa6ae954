import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { createRunCapacity } from '../../../api/purchases/run-capacity.js';
import { until } from '../../support/until.js';

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
  const version = { deploymentName: runs, buildId: 'a' };
  await poll(runs, version);
  await connection.workflowService.setWorkerDeploymentCurrentVersion({
    namespace,
    ...version,
    identity: 'test',
    ignoreMissingTaskQueues: true,
  });
  expect(await refusal()).toBeNull();
  await client.workflow.start('run', { taskQueue: runs, workflowId: runs });
  expect(await untilRefused(refusal)).toMatchObject({ refused: 'unavailable', retryAfterSeconds: 15 });
});

function refusals(taskQueue: string, modelQueues: readonly string[]) {
  const onError = () => undefined;
  const now = () => new Date();
  const capacity = createRunCapacity({ client, taskQueue, modelQueues, stageDeadlinesMs, now, onError });
  return () => capacity.refusalOf('report/another');
}

function untilRefused(refusal: ReturnType<typeof refusals>) {
  return until('new runs are refused', refusal, answer => answer !== null);
}

/** One poll makes a version known to the server. */
async function poll(name: string, version: { deploymentName: string; buildId: string }): Promise<void> {
  const { workflowService } = connection;
  const stop = new AbortController();
  const polling = connection.withDeadline(pollsUntil(), () =>
    connection.withAbortSignal(stop.signal, () =>
      workflowService.pollWorkflowTaskQueue({
        namespace,
        taskQueue: { name },
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
