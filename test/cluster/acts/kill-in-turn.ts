import { setTimeout as pause } from 'node:timers/promises';
import { seconds } from '../../chaos/drills/drill.js';
import { signal } from '../../chaos/faults/processes.js';
import { until } from '../../support/until.js';
import type { Cluster } from '../servers/cluster.js';
import type { Stage } from './act.js';
import { sayTally } from './tally.js';

const callersAtOnce = 50;
/** For the load between two kills. */
const calmMs = 4_000;

/** What is killed at once: every process whose name begins so, or the first of them alone. */
const victims = [
  { begins: 'temporal-history', count: 1 },
  { begins: 'temporal-frontend', count: 1 },
  { begins: 'temporal-matching', count: 1 },
  { begins: 'temporal-worker', count: 1 },
  { begins: 'worker-', count: 1 },
  { begins: 'api-', count: 1 },
  { begins: 'PostgreSQL', count: 1 },
  { begins: 'simulator', count: 1 },
  { begins: 'temporal-history', count: 2 },
  { begins: 'temporal-frontend', count: 2 },
  { begins: 'worker-', count: 3 },
  { begins: 'api-', count: 2 },
] as const;

/** Kills each kind of process in turn, and all of a kind at once, under fifty callers. */
export async function killInTurn({ cluster, callers, journal, say }: Stage): Promise<readonly string[]> {
  const from = journal.attempts.length;
  let isOver = false;
  const load = callers.keepBuying(callersAtOnce, () => isOver);
  try {
    for (const victim of victims) {
      await pause(calmMs);
      await killAndRecover(cluster, victim, say);
    }
    await pause(calmMs);
  } finally {
    isOver = true;
    await load;
  }
  sayTally(say, `${callersAtOnce} callers meanwhile`, journal.attempts.slice(from));
  return [];
}

async function killAndRecover(
  cluster: Cluster,
  { begins, count }: (typeof victims)[number],
  say: (line: string) => void,
): Promise<void> {
  const killed = cluster.running.filter(({ name }) => name.startsWith(begins)).slice(0, count);
  if (killed.length < count) throw new Error(`only ${killed.length} processes of ${begins} run`);
  const pids = killed.map(({ pid }) => pid);
  for (const pid of pids) if (pid !== null) signal(pid, 'SIGKILL');
  const begunAt = performance.now();
  await until('they have ended', () => killed.every(({ pid }, index) => pid !== pids[index]));
  await cluster.untilReady();
  say(
    `kill -9 ${killed.map(({ name }) => name).join(', ')}: everything is ready again after ${seconds(performance.now() - begunAt)}.`,
  );
}
