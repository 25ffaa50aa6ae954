import { isDeepStrictEqual } from 'node:util';
import {
  Client,
  ScheduleAlreadyRunning,
  type ScheduleDescription,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { TemporalManifest } from './temporal-manifest.js';

export type AppliedSchedules = Readonly<Record<string, 'created' | 'updated' | 'unchanged'>>;

/**
 * Makes the server's schedules those of `temporal.yaml`. Any number of workers may do this at once: whoever comes second
 * finds a schedule that is there, and writes only what differs. One that an operator has paused stays paused; one
 * that the manifest no longer names is left to operators.
 */
export async function applySchedules(
  connection: NativeConnection,
  namespace: string,
  manifest: TemporalManifest,
): Promise<AppliedSchedules> {
  const { schedule: schedules } = new Client({ connection, namespace });
  const applied: [string, AppliedSchedules[string]][] = [];
  for (const entry of manifest.schedules) {
    applied.push([entry.id, await applyOne(schedules, entry.id, wanted(manifest, entry))]);
  }
  return Object.fromEntries(applied);
}

async function applyOne(
  schedules: Client['schedule'],
  scheduleId: string,
  schedule: Wanted,
): Promise<AppliedSchedules[string]> {
  try {
    await schedules.create({ scheduleId, ...schedule });
    return 'created';
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const handle = schedules.getHandle(scheduleId);
  if (isDeepStrictEqual(settingsOf(await handle.describe()), settingsOf(schedule))) return 'unchanged';
  await handle.update(({ state }) => ({ ...schedule, state }));
  return 'updated';
}

type Wanted = ReturnType<typeof wanted>;

function wanted(manifest: TemporalManifest, entry: TemporalManifest['schedules'][number]) {
  return {
    spec: { intervals: [{ every: entry.every_seconds * 1_000 }] },
    action: {
      type: 'startWorkflow' as const,
      workflowType: entry.workflow,
      workflowId: `chores/${entry.id}`,
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
    every: spec.intervals?.map(({ every }) => every),
    workflow: action.workflowType,
    workflowId: action.workflowId,
    taskQueue: action.taskQueue,
    args: action.args,
    summary: action.staticSummary,
    overlap: policies.overlap,
    catchupWindow: policies.catchupWindow,
  };
}
