import { setTimeout as pause } from 'node:timers/promises';
import { Client, type ConnectionLike } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time.js';
import { isNotFound } from './grpc-status.js';
import type { TemporalManifest } from './manifest.js';

/**
 * Creates the namespace, or sets its retention to that of `temporal.yaml`. For operators and for the embedded server:
 * workers may not have the permission.
 */
export async function applyNamespace({
  connection,
  namespace,
  manifest,
  dryRun,
}: ApplyTarget): Promise<ApplyStep> {
  const found = { kind: 'namespace', name: namespace } as const;
  const retentionMs = manifest.retention_days * dayMs;
  const currentMs = await retentionOf(connection, namespace);
  if (currentMs === retentionMs) return { ...found, did: 'unchanged', differences: [] };
  const workflowExecutionRetention = msToTs(retentionMs);
  if (currentMs === null) {
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
    differences: [`retention_days: ${currentMs / dayMs} → ${manifest.retention_days}`],
  };
}

const dayMs = 86_400_000;

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

const registrationTimeoutMs = 60_000;
const pollIntervalMs = 100;

/** Resolves when all parts of the server know the namespace, which takes some seconds. */
async function register(
  connection: ConnectionLike,
  namespace: string,
  workflowExecutionRetentionPeriod: ReturnType<typeof msToTs>,
): Promise<void> {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
  const { workflow } = new Client({ connection, namespace });
  const deadline = Date.now() + registrationTimeoutMs;
  for (;;) {
    try {
      await workflow.count();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(pollIntervalMs);
    }
  }
}

/** `temporal.api.enums.v1.IndexedValueType`. */
const indexedValueType = { Keyword: 2, Int: 3, Bool: 5 } as const;

/**
 * Adds the search attributes that runs are started with. An existing attribute with another type is left as it is,
 * because no server can change a type.
 */
export async function applySearchAttributes(target: ApplyTarget): Promise<readonly ApplyStep[]> {
  const { connection, namespace, manifest, dryRun } = target;
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const steps = Object.entries(manifest.search_attributes).map(([name, type]) =>
    stepFor(name, type, customAttributes[name]),
  );
  const missing = steps.filter(({ did }) => did === 'created').map(({ name }) => name);
  if (missing.length > 0 && dryRun !== true) await add(target, missing);
  return steps;
}

type AttributeType = keyof typeof indexedValueType;

function stepFor(name: string, type: AttributeType, current: number | undefined): ApplyStep {
  const found = { kind: 'search_attribute', name } as const;
  if (current === undefined) return { ...found, did: 'created', differences: [] };
  if (current === indexedValueType[type]) return { ...found, did: 'unchanged', differences: [] };
  return { ...found, did: 'left', differences: [`type: ${nameOf(current)} → ${type}`] };
}

function nameOf(value: number): string {
  return Object.entries(indexedValueType).find(([, known]) => known === value)?.[0] ?? `number ${value}`;
}

async function add({ connection, namespace, manifest }: ApplyTarget, names: readonly string[]) {
  const wanted = Object.entries(manifest.search_attributes).filter(([name]) => names.includes(name));
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(wanted.map(([name, type]) => [name, indexedValueType[type]])),
  });
}

/** One thing that `temporal.yaml` describes, or described earlier, and what was done about it on the server. */
export interface ApplyStep {
  readonly kind: 'namespace' | 'search_attribute' | 'maintenance';
  readonly name: string;
  /** `left`: it needs an operator, and `differences` says why. In a dry run: what would be done. */
  readonly did: 'created' | 'updated' | 'unchanged' | 'removed' | 'left';
  readonly differences: readonly string[];
}

/** The server to apply the manifest to, or with `dryRun` to compare with it. */
export interface ApplyTarget {
  readonly connection: ConnectionLike;
  readonly namespace: string;
  readonly manifest: TemporalManifest;
  readonly dryRun?: boolean;
}
