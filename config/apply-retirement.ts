import { Client, ScheduleNotFoundError } from '@temporalio/client';
import { choreWorkflowId } from './apply-schedules.js';
import type { ApplyStep, ApplyTarget } from './apply-step.js';

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
    return action.workflowId === choreWorkflowId(scheduleId) && action.taskQueue === taskQueue;
  } catch (error) {
    // The list is a little behind: this one was removed meanwhile.
    if (error instanceof ScheduleNotFoundError) return false;
    throw error;
  }
}
