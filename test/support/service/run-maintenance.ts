import { randomUUID } from 'node:crypto';
import type { checkLedger, expireGrants, releaseStrandedRuns, sendUsage } from '../../../workflows/chores.js';
import type { TestService } from './test-service.js';

interface Chores {
  sendUsage: typeof sendUsage;
  releaseStrandedRuns: typeof releaseStrandedRuns;
  checkLedger: typeof checkLedger;
  expireGrants: typeof expireGrants;
}

/** One round of a chore, as its schedule would begin it. */
export async function runChore<Name extends keyof Chores>(
  { temporal, manifest }: TestService,
  name: Name,
): Promise<Awaited<ReturnType<Chores[Name]>>> {
  const handle = await temporal.workflow.start(name, {
    taskQueue: manifest.task_queue,
    workflowId: `chores/${name}/${randomUUID()}`,
    args: [{ policy: manifest.chore_policy }],
  });
  return handle.result();
}
