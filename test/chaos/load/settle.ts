import { until } from '../../support/until.js';
import type { Stage } from '../stage/stage.js';

const upWithinMs = 120_000;
/** All stages of a run that has just begun, the pauses between attempts to refund, and two rounds of the chore. */
const quietWithinMs = 300_000;

/**
 * After the storm: everything is as it should be again, and what was begun comes to its end by itself.
 * @returns what did not, one sentence each
 */
export async function settle(stage: Stage): Promise<readonly string[]> {
  const { network, outside, timeline } = stage;
  network.calm();
  await outside.setFaults([]);
  outside.setMarket('fine');
  for (const each of stage.processes) each.kill('SIGCONT');
  const complaints: string[] = [];
  const wait = async (what: string, look: () => Promise<boolean>, patienceMs: number) => {
    const came = await until(what, look, Boolean, patienceMs).catch(() => false);
    timeline.note(came ? what : `it did NOT come about that ${what}`);
    if (!came) complaints.push(`it did not come about that ${what}`);
  };
  await wait('everything is up again', () => isUp(stage), upWithinMs);
  await wait('no report is open', async () => (await openReports(stage)).length === 0, quietWithinMs);
  await wait('no run is open', async () => (await openRuns(stage)) === 0, quietWithinMs);
  for (const report of await openReports(stage)) complaints.push(`report ${report} never ended`);
  return complaints;
}

async function isUp({ servers, processes }: Stage): Promise<boolean> {
  if (!servers.postgres.up || !servers.temporal.up) return false;
  const ready = await Promise.all(processes.map(each => each.isReady()));
  return ready.every(Boolean);
}

async function openReports({ database }: Stage): Promise<number[]> {
  const open = await database.db
    .selectFrom('reports')
    .select('id')
    .where('status', 'in', ['pending', 'processing'])
    .execute();
  return open.map(({ id }) => id);
}

async function openRuns({ temporal }: Stage): Promise<number> {
  const query = 'WorkflowType = "councilReport" AND ExecutionStatus = "Running"';
  return (await temporal.workflow.count(query)).count;
}
