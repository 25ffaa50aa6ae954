import { until } from '../../support/until.js';
import type { Deployment } from '../deployment/deployment.js';

const upWithinMs = 120_000;
/**
 * All stages of a run that has just started, the pauses between refund attempts, and two maintenance rounds.
 */
const quietWithinMs = 300_000;

/**
 * Ends every fault, and waits until all runs have ended without help.
 * @returns what did not happen in time, one sentence each
 */
export async function settle(deployment: Deployment): Promise<readonly string[]> {
  const { network, outside, timeline } = deployment;
  network.calm();
  await outside.setFaults([]);
  outside.setMarket('fine');
  for (const each of deployment.processes) each.kill('SIGCONT');
  const failures: string[] = [];
  const wait = async (what: string, poll: () => Promise<boolean>, withinMs: number) => {
    const isDone = await until(what, poll, Boolean, withinMs).catch(() => false);
    timeline.note(isDone ? what : `NOT in time: ${what}`);
    if (!isDone) failures.push(`not in time: ${what}`);
  };
  await wait('everything is up again', () => isUp(deployment), upWithinMs);
  await wait('no report is open', async () => (await openReports(deployment)).length === 0, quietWithinMs);
  await wait('no run is open', async () => (await openRuns(deployment)) === 0, quietWithinMs);
  for (const report of await openReports(deployment)) failures.push(`report ${report} never ended`);
  return failures;
}

async function isUp({ servers, processes }: Deployment): Promise<boolean> {
  if (!servers.postgres.up || !servers.temporal.up) return false;
  const ready = await Promise.all(processes.map(each => each.isReady()));
  return ready.every(Boolean);
}

async function openReports({ database }: Deployment): Promise<number[]> {
  const open = await database.db
    .selectFrom('reports')
    .select('id')
    .where('status', 'in', ['pending', 'processing'])
    .execute();
  return open.map(({ id }) => id);
}

async function openRuns({ temporal }: Deployment): Promise<number> {
  const query = 'WorkflowType = "councilReport" AND ExecutionStatus = "Running"';
  return (await temporal.workflow.count(query)).count;
}
