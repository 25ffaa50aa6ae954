import type { Db } from '../../../db/database.js';
import { until } from '../../support/until.js';
import type { Deployment } from '../deployment/deployment.js';

const upWithinMs = 120_000;
/**
 * All stages of a run that has just started, the pauses between refund attempts, and two maintenance rounds.
 */
const quietWithinMs = 300_000;
/** A worker whose clock was ten minutes ahead has set times for the next tries. */
const toldWithinMs = 900_000;

/**
 * Ends every fault, and waits until all runs have ended without help.
 * @returns what did not happen in time, one sentence each
 */
export async function settle(deployment: Deployment): Promise<readonly string[]> {
  const { network, outside, timeline, database } = deployment;
  network.calm();
  outside.setFaults([]);
  outside.market.behaviour = 'fine';
  for (const each of deployment.processes) each.kill('SIGCONT');
  const failures: string[] = [];
  const wait = async (what: string, poll: () => Promise<boolean>, withinMs: number) => {
    const isDone = await until(what, poll, Boolean, withinMs).catch(() => false);
    timeline.note(isDone ? what : `NOT in time: ${what}`);
    if (!isDone) failures.push(`not in time: ${what}`);
  };
  await wait('everything is up again', () => isUp(deployment), upWithinMs);
  await wait('no report is open', async () => (await openReports(database.db)).length === 0, quietWithinMs);
  await wait('no run is open', async () => (await openRuns(deployment)) === 0, quietWithinMs);
  await wait(
    'no webhook is waiting',
    async () => (await openDeliveries(database.db)).length === 0,
    toldWithinMs,
  );
  for (const { id } of await openReports(database.db)) failures.push(`report ${id} never ended`);
  return failures;
}

async function isUp(deployment: Deployment): Promise<boolean> {
  const { postgres, temporal } = deployment.servers;
  return postgres.up && temporal.up && deployment.isReady();
}

export function openReports(db: Db) {
  return db
    .selectFrom('reports')
    .select(['id', 'workflow_id as workflowId'])
    .where('status', 'in', ['pending', 'processing'])
    .orderBy('id')
    .execute();
}

/** Webhooks that were decided and have not ended. */
export function openDeliveries(db: Db) {
  return db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute();
}

export async function openRuns({ temporal }: Pick<Deployment, 'temporal'>): Promise<number> {
  const query = 'WorkflowType = "councilReport" AND ExecutionStatus = "Running"';
  return (await temporal.workflow.count(query)).count;
}
