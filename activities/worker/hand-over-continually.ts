import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Db } from '../../db/database.js';
import { type ClaimedDelivery, claimDeliveries, releaseDeliveries } from '../../db/webhooks/outbox.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { TemporalManifest } from '../../platform/temporal/manifest.js';
import { deliveryWorkflow, type WebhookDeliveryInput } from '../../purchase/webhooks.js';
import { repeatUntilStopped } from './repeat-until-stopped.js';

export interface HandOverDependencies {
  readonly db: Db;
  readonly temporal: Pick<Client, 'workflow'>;
  readonly manifest: Pick<TemporalManifest, 'task_queue' | 'webhooks'>;
  readonly metrics: Pick<Metrics, 'webhookHandOverFailures'>;
  readonly log: Pick<Logger, 'error' | 'info'>;
  readonly now: () => Date;
}

/** With the entry of the record, which is sealed as often, a webhook is sent about a second after what it tells of. */
const handOverEveryMs = 1_000;

/** Deliveries of a round, which are handed over at once. */
const batchMax = 50;

/**
 * Hands waiting deliveries of webhooks to Temporal, about once a second, until it is stopped. In any number of processes:
 * each takes what the others have not claimed. While Temporal or the database is away the deliveries wait in their table.
 * @returns how to stop it; the promise settles once nothing is being handed over
 */
export function handOverContinually(deps: HandOverDependencies): () => Promise<void> {
  return repeatUntilStopped({
    everyMs: handOverEveryMs,
    round: async stopping => {
      while (!stopping.aborted && (await handOver(deps)) === batchMax);
    },
    onFailure: () => deps.metrics.webhookHandOverFailures.inc(),
    texts: {
      fails: 'webhook deliveries could not be handed over; it is tried again',
      works: 'webhook deliveries are handed over again',
    },
    log: deps.log,
  });
}

/**
 * One batch. What cannot be handed over is given back; what was claimed by a process that died is claimed again later.
 * @returns how many were waiting
 * @throws what Temporal has thrown first
 */
async function handOver(deps: HandOverDependencies): Promise<number> {
  const claimed = await claimDeliveries(deps.db, { now: deps.now(), max: batchMax });
  const results = await Promise.allSettled(claimed.map(each => startOrWake(deps, each)));
  const failed = results.flatMap((result, index) => {
    const delivery = claimed[index];
    return result.status === 'rejected' && delivery !== undefined
      ? [{ id: delivery.id, reason: result.reason }]
      : [];
  });
  await releaseDeliveries(
    deps.db,
    failed.map(({ id }) => id),
  );
  if (failed[0] !== undefined) throw failed[0].reason;
  return claimed.filter(({ isOverdue }) => !isOverdue).length;
}

/**
 * A workflow that runs is woken: its owner asks for a try, or it sleeps past its time, because a worker whose clock was wrong
 * has said how long. One that is busy asks the database again, and finds that nothing is due.
 */
async function startOrWake(
  { temporal, manifest }: HandOverDependencies,
  { id }: ClaimedDelivery,
): Promise<void> {
  const workflowId = deliveryWorkflow.idOf(id);
  const input: WebhookDeliveryInput = { deliveryId: id, taskQueue: manifest.webhooks.task_queue };
  try {
    await temporal.workflow.start(deliveryWorkflow.type, {
      workflowId,
      taskQueue: manifest.task_queue,
      args: [input],
      staticSummary: 'Webhook delivery',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    await temporal.workflow.getHandle(workflowId).signal(deliveryWorkflow.wake);
  }
}
