import { type Client, isGrpcServiceError } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { TemporalManifest } from '../../config/temporal-manifest.js';
import { type Finding, ok, warning } from './finding.js';

/** A worker asks for work at least once a minute; the server remembers one that is gone for five. */
const asksAgainWithinMs = 90_000;
const workflowTaskQueue = 1;

const notFound = 5;

/** Nothing where the namespace is not there: nobody can work in it, and the check of the manifest says so. */
export async function checkWorker(
  client: Client,
  { task_queue: name }: TemporalManifest,
  now: number,
): Promise<readonly Finding[]> {
  const polled = await lastPolls(client, name);
  if (polled === null) return [];
  const alive = polled.filter(at => now - at < asksAgainWithinMs);
  if (alive.length > 0) return [ok('worker', `asking for work on ${name}: ${alive.length}`)];
  const next =
    'Start one: `npm run worker`, or `npm start`. Until then reports wait, and are neither made nor refunded.';
  return [warning('worker', `none asks for work on ${name}`, next)];
}

async function lastPolls(
  { workflowService, options: { namespace } }: Client,
  name: string,
): Promise<readonly number[] | null> {
  try {
    const { pollers } = await workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name },
      taskQueueType: workflowTaskQueue,
    });
    return (pollers ?? []).map(({ lastAccessTime }) => tsToMs(lastAccessTime));
  } catch (error) {
    const code: number | null = isGrpcServiceError(error) ? error.code : null;
    if (code === notFound) return null;
    throw error;
  }
}
