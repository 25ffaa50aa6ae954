import {
  Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  type ScheduleHandle,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { ApplyStep, ApplyTarget } from './apply-namespace.js';
import type { TemporalManifest } from './manifest.js';

/**
 * Makes the server's schedules those of `temporal.yaml`. Any number of workers may do this at once: whoever comes second
 * finds a schedule that is there, and writes only what differs. One that an operator has paused stays paused; one
 * that the manifest no longer names is left to operators (`apply-retirement.ts`).
 */
export async function applySchedules(target: ApplyTarget): Promise<readonly ApplyStep[]> {
  const { connection, namespace, manifest } = target;
  const { schedule: schedules } = new Client({ connection, namespace });
  const steps: ApplyStep[] = [];
  for (const entry of manifest.schedules) {
    const step = await applyOne(schedules, entry.id, wanted(manifest, entry), target.dryRun === true);
    steps.push({ kind: 'schedule', name: entry.id, ...step });
  }
  return steps;
}

/** The workflow id by which a schedule of this service is known from anybody else's. */
function maintenanceWorkflowId(scheduleId: string): string {
  return `chores/${scheduleId}`;
}

async function applyOne(
  schedules: Client['schedule'],
  scheduleId: string,
  schedule: Wanted,
  dryRun: boolean,
): Promise<Pick<ApplyStep, 'did' | 'differences'>> {
  const handle = schedules.getHandle(scheduleId);
  const there = await describeIfThere(handle);
  if (there === null) {
    if (dryRun || (await create(schedules, scheduleId, schedule))) return { did: 'created', differences: [] };
    // Another worker was quicker.
    return applyOne(schedules, scheduleId, schedule, dryRun);
  }
  const differences = differencesBetween(settingsOf(there), settingsOf(schedule));
  if (differences.length === 0) return { did: 'unchanged', differences };
  if (!dryRun) await handle.update(({ state }) => ({ ...schedule, state }));
  return { did: 'updated', differences };
}

async function describeIfThere(handle: ScheduleHandle): Promise<ScheduleDescription | null> {
  try {
    return await handle.describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** False where one of that name is there already. */
async function create(schedules: Client['schedule'], scheduleId: string, schedule: Wanted): Promise<boolean> {
  try {
    await schedules.create({ scheduleId, ...schedule });
    return true;
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning) return false;
    throw error;
  }
}

type Wanted = ReturnType<typeof wanted>;

function wanted(manifest: TemporalManifest, entry: TemporalManifest['schedules'][number]) {
  return {
    spec: { intervals: [{ every: entry.every_seconds * 1_000 }] },
    action: {
      type: 'startWorkflow' as const,
      workflowType: entry.workflow,
      workflowId: maintenanceWorkflowId(entry.id),
      taskQueue: manifest.task_queue,
      args: [orderOf(manifest, entry)],
      staticSummary: `Chore · ${entry.id.replaceAll('-', ' ')}`,
    },
    policies: {
      // A round that takes longer than its interval is not joined by another.
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: entry.catchup_window_seconds * 1_000,
    },
  };
}

/** A chore is told its policy; the sweep, all that a batch that grades is told. */
function orderOf(
  { chore_policy, grading }: TemporalManifest,
  { workflow }: TemporalManifest['schedules'][number],
) {
  return workflow === 'regradeDue' ? grading : { policy: chore_policy };
}

/** What `temporal.yaml` decides of a schedule, in a form in which what is wanted and what is there can be compared. */
function settingsOf({ spec, action, policies }: Wanted | ScheduleDescription) {
  return {
    every_ms: spec.intervals?.map(({ every }) => every),
    workflow: action.workflowType,
    workflow_id: action.workflowId,
    task_queue: action.taskQueue,
    args: action.args,
    summary: action.staticSummary,
    overlap: policies.overlap,
    catchup_window_ms: policies.catchupWindow,
  };
}

/** Each value that differs, by its path: of a changed policy only the line that was changed is of interest. */
function differencesBetween(is: unknown, wanted: unknown): string[] {
  const [before, after] = [leavesOf(is), leavesOf(wanted)];
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
 * The schedules on the server that this service made and `temporal.yaml` names no more: they would begin chores for ever.
 * Told, and removed where asked. A schedule counts as ours by what it starts, and on our task queue only: another's, or
 * another deployment's in the same namespace, is never touched.
 */
export async function applyRetirement(
  { connection, namespace, manifest, dryRun }: ApplyTarget,
  { prune }: { prune: boolean },
): Promise<readonly ApplyStep[]> {
  const { schedule: schedules } = new Client({ connection, namespace });
  const named = new Set(manifest.schedules.map(({ id }) => id));
  const steps: ApplyStep[] = [];
  for await (const { scheduleId } of schedules.list()) {
    if (named.has(scheduleId) || !(await isOurs(schedules, scheduleId, manifest.task_queue))) continue;
    if (prune && dryRun !== true) await schedules.getHandle(scheduleId).delete();
    const did = prune ? 'removed' : 'left';
    steps.push({ kind: 'schedule', name: scheduleId, did, differences: ['temporal.yaml does not name it'] });
  }
  return steps;
}

async function isOurs(
  schedules: Client['schedule'],
  scheduleId: string,
  taskQueue: string,
): Promise<boolean> {
  try {
    const { action } = await schedules.getHandle(scheduleId).describe();
    return action.workflowId === maintenanceWorkflowId(scheduleId) && action.taskQueue === taskQueue;
  } catch (error) {
    // The list is a little behind: this one was removed meanwhile.
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}
