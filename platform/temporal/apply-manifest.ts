import {
  Client,
  type ConnectionLike,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowExecutionDescription,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { z } from 'zod';
import { type ApplyStep, type ApplyTarget, applySearchAttributes } from './apply-namespace.js';
import type { TemporalManifest } from './manifest.js';

/**
 * What every worker applies when it starts: the search attributes that runs are started with, then the maintenance
 * workflows. Anything that exists already is left alone.
 */
export async function applyManifest(
  connection: ConnectionLike,
  namespace: string,
  manifest: TemporalManifest,
): Promise<readonly ApplyStep[]> {
  const target = { connection, namespace, manifest };
  return [...(await applySearchAttributes(target)), ...(await applyMaintenance(target))];
}

const workflowType = 'maintenance';

/**
 * Starts one `maintenance` workflow for each duty of `temporal.yaml` that is not running. Any number of workers may do
 * this at the same time. A workflow that runs with other settings is replaced; a paused duty stays paused.
 */
export async function applyMaintenance(target: ApplyTarget): Promise<readonly ApplyStep[]> {
  const { connection, namespace, manifest, dryRun } = target;
  const { workflow } = new Client({ connection, namespace });
  const steps: ApplyStep[] = [];
  for (const input of wantedInputs(manifest)) {
    const name = input.duty;
    const running = await describeIfRunning(workflow, workflowId(name));
    const wanted = { taskQueue: manifest.task_queue, input: { ...input, paused: pausedIn(running) } };
    const differences = running === null ? [] : differencesBetween(settingsOf(running), wanted);
    const did = running === null ? 'created' : differences.length > 0 ? 'updated' : 'unchanged';
    if (did !== 'unchanged' && dryRun !== true) await start(workflow, wanted, did);
    steps.push({ kind: 'maintenance', name, did, differences });
  }
  return steps;
}

/** The input of `workflows/maintenance.ts`, which is also the memo of the workflow. */
interface MaintenanceInput {
  readonly duty: string;
  readonly everySeconds: number;
  readonly grading: TemporalManifest['grading'];
  readonly paused: string | null;
}

interface Settings {
  readonly taskQueue: string;
  readonly input: MaintenanceInput;
}

function wantedInputs({ maintenance_every_seconds, grading }: TemporalManifest): MaintenanceInput[] {
  return Object.entries(maintenance_every_seconds).map(([duty, everySeconds]) => ({
    duty,
    everySeconds,
    grading,
    paused: null,
  }));
}

function workflowId(duty: string): string {
  return `maintenance/${duty}`;
}

/**
 * A failed round fails the workflow, visibly; the retry policy then starts the next run, which waits for one interval
 * before its first round.
 */
async function start(
  workflow: Client['workflow'],
  { taskQueue, input }: Settings,
  did: 'created' | 'updated',
): Promise<void> {
  try {
    await workflow.start(workflowType, {
      workflowId: workflowId(input.duty),
      taskQueue,
      args: [input],
      memo: { input },
      workflowIdConflictPolicy:
        did === 'created' ? WorkflowIdConflictPolicy.FAIL : WorkflowIdConflictPolicy.TERMINATE_EXISTING,
      retry: { initialInterval: '1 second', backoffCoefficient: 1 },
      staticSummary: `Maintenance · ${input.duty.replaceAll('-', ' ')}`,
    });
  } catch (error) {
    // Another worker was faster.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

async function describeIfRunning(
  workflow: Client['workflow'],
  id: string,
): Promise<WorkflowExecutionDescription | null> {
  try {
    const found = await workflow.getHandle(id).describe();
    return found.status.name === 'RUNNING' ? found : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Why an operator has paused the running duty; null if it is not paused. */
function pausedIn(running: WorkflowExecutionDescription | null): string | null {
  return pausedShape.safeParse(running?.memo?.['input']).data?.paused ?? null;
}

const pausedShape = z.object({ paused: z.string().nullable() });

function settingsOf({ taskQueue, memo }: WorkflowExecutionDescription): object {
  return { taskQueue, input: memo?.['input'] };
}

/** Each value that differs, by its path. */
function differencesBetween(current: unknown, wanted: unknown): string[] {
  const [before, after] = [leavesOf(current), leavesOf(wanted)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter(path => before.get(path) !== after.get(path))
    .map(path => `${path}: ${before.get(path) ?? 'none'} → ${after.get(path) ?? 'none'}`);
}

function leavesOf(value: unknown, path = ''): Map<string, string> {
  if (value === undefined) return new Map();
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value !== 'object' || value === null) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, part]) => [
      ...leavesOf(part, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

/**
 * Finds `maintenance` workflows on this service's task queue whose duty `temporal.yaml` no longer names. Reports them;
 * terminates them if asked. Workflows of other deployments in the same namespace are not touched.
 */
export async function applyRetirement(
  { connection, namespace, manifest, dryRun }: ApplyTarget,
  { prune }: { prune: boolean },
): Promise<readonly ApplyStep[]> {
  const { workflow } = new Client({ connection, namespace });
  const named = new Set(Object.keys(manifest.maintenance_every_seconds).map(workflowId));
  const query = `WorkflowType="${workflowType}" AND TaskQueue="${manifest.task_queue}" AND ExecutionStatus="Running"`;
  const steps: ApplyStep[] = [];
  for await (const { workflowId: id } of workflow.list({ query })) {
    if (named.has(id)) continue;
    if (prune && dryRun !== true) await workflow.getHandle(id).terminate('temporal.yaml does not name it');
    const name = id.replace(`${workflowType}/`, '');
    const did = prune ? 'removed' : 'left';
    steps.push({ kind: 'maintenance', name, did, differences: ['temporal.yaml does not name it'] });
  }
  return steps;
}
