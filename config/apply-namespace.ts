import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ConnectionLike, isGrpcServiceError } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import type { ApplyStep, ApplyTarget } from './apply-step.js';

/**
 * Makes the namespace, or makes it keep histories for as long as `temporal.yaml` says. For operators, and for a server of
 * our own: a worker may not be allowed to.
 */
export async function applyNamespace({
  connection,
  namespace,
  manifest,
  dryRun,
}: ApplyTarget): Promise<ApplyStep> {
  const found = { kind: 'namespace', name: namespace } as const;
  const retentionMs = manifest.retention_days * dayMs;
  const thereMs = await retentionOf(connection, namespace);
  if (thereMs === retentionMs) return { ...found, did: 'unchanged', differences: [] };
  const workflowExecutionRetention = msToTs(retentionMs);
  if (thereMs === null) {
    if (dryRun !== true) await register(connection, namespace, workflowExecutionRetention);
    return { ...found, did: 'created', differences: [] };
  }
  if (dryRun !== true) {
    const config = { workflowExecutionRetentionTtl: workflowExecutionRetention };
    await connection.workflowService.updateNamespace({ namespace, config });
  }
  return {
    ...found,
    did: 'updated',
    differences: [`retention_days: ${thereMs / dayMs} → ${manifest.retention_days}`],
  };
}

const dayMs = 86_400_000;
const notFound = 5;

/** Null where there is no such namespace. */
async function retentionOf(connection: ConnectionLike, namespace: string): Promise<number | null> {
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    return tsToMs(config?.workflowExecutionRetentionTtl);
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  const code: number | null = isGrpcServiceError(error) ? error.code : null;
  return code === notFound;
}

const knownWithinMs = 60_000;
const lookEveryMs = 100;

/** A namespace is not known in all parts of the server at once; it is here when this resolves. */
async function register(
  connection: ConnectionLike,
  namespace: string,
  workflowExecutionRetentionPeriod: ReturnType<typeof msToTs>,
): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const { workflow } = new Client({ connection, namespace });
  const giveUpAt = Date.now() + knownWithinMs;
  for (;;) {
    try {
      await workflow.count();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await pause(lookEveryMs);
    }
  }
}
