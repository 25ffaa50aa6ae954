import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { until } from '../../support/until.js';
import type { Deployment } from '../deployment/deployment.js';
import {
  type Callers,
  type Drill,
  type DrillResult,
  type DrillWorld,
  isSold,
  seconds,
  unless,
} from './drill.js';

/**
 * Stops a worker (SIGSTOP) while it holds the lock of an account in the middle of a sale. Other accounts must
 * buy again within ten seconds, the lock must be free again, and the purchase must end charged once or not at all.
 */
export const stoppedSale: Drill = { name: 'stopped-sale', customers: 60, loadMinutes: 0, run };

const stoppedForMs = 40_000;
const probeEveryMs = 1_000;
const buyAgainWithinMs = 10_000;
/** Makes a sale long enough to be met in its middle, and short enough to end within its time limit. */
const slowedByMs = 60;

async function run({ deployment, callers }: DrillWorld): Promise<DrillResult> {
  const { timeline, workers, network } = deployment;
  const victim = callers.next();
  const links = workers.map(({ name }) => network.link(name, 'postgres'));
  for (const link of links) link.become({ kind: 'slow', ms: slowedByMs });
  const sale = callers.client.buyWithRetries(victim);
  const name = await until('a worker is in the middle of a sale', () => sellingWorker(deployment), Boolean);
  const worker = workers.find(each => each.name === name);
  if (worker === undefined) throw new Error(`there is no worker ${name}`);
  worker.kill('SIGSTOP');
  const stoppedAt = Date.now();
  const over = timeline.begin('worker stopped');
  timeline.note(`${name} stopped in the middle of a sale for ${stoppedForMs} ms`, 'worker stopped in a sale');
  for (const link of links) link.become({ kind: 'calm' });
  const [probes, heldMs] = await Promise.all([
    probe(callers, stoppedAt + stoppedForMs),
    lockHeldMs(deployment, worker.name, stoppedAt + stoppedForMs),
  ]);
  worker.kill('SIGCONT');
  await sale;
  over();
  const charges = await chargesOf(deployment, victim.customer.accountId);
  const soldAt = probes.filter(({ sold }) => sold).map(({ endedAt }) => endedAt);
  const gaps = [...soldAt, stoppedAt + stoppedForMs]
    .toSorted((one, other) => one - other)
    .map((at, index, all) => at - (all[index - 1] ?? stoppedAt));
  const longestMs = Math.max(...gaps);
  const allowedMs = buyAgainWithinMs + timeline.stalledMs(stoppedAt, Date.now());
  return {
    figures: [
      `others bought again after ${seconds((soldAt[0] ?? Number.POSITIVE_INFINITY) - stoppedAt)}`,
      `longest time without a sale ${seconds(longestMs)}, ${soldAt.length} of ${probes.length} purchases sold at the first request`,
      `the lock was held for ${seconds(heldMs)}; the purchase was charged ${charges} times`,
    ],
    faults: [
      ...unless(
        longestMs <= allowedMs,
        `stopped sale: other accounts could not buy for ${seconds(longestMs)}`,
      ),
      ...unless(heldMs <= allowedMs, `stopped sale: the lock was held for ${seconds(heldMs)}`),
      ...unless(charges <= 1, `stopped sale: the purchase was charged ${charges} times`),
    ],
  };
}

/** The worker that holds the lock of an account at this moment. */
async function sellingWorker({ database }: Deployment): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select application_name as name from pg_stat_activity
    where state = 'idle in transaction' and application_name like 'worker-%'
      and query like '%for no key update%'`.execute(database.db);
  return rows[0]?.name ?? null;
}

interface Probe {
  readonly sold: boolean;
  readonly endedAt: number;
}

/** Another account buys every second. */
async function probe(callers: Callers, untilMs: number): Promise<readonly Probe[]> {
  const probes: Promise<Probe>[] = [];
  while (Date.now() < untilMs) {
    probes.push(callers.buyOnce().then(outcome => ({ sold: isSold(outcome), endedAt: Date.now() })));
    await pause(probeEveryMs);
  }
  return (await Promise.all(probes)).toSorted((one, other) => one.endedAt - other.endedAt);
}

/** For how long the stopped process was seen in a transaction. */
async function lockHeldMs({ database }: Deployment, name: string, untilMs: number): Promise<number> {
  const begunAt = Date.now();
  let heldMs = 0;
  while (Date.now() < untilMs) {
    const { rows } = await sql<{ sessions: number }>`
      select count(*) as sessions from pg_stat_activity
      where application_name = ${name} and state like 'idle in transaction%'`.execute(database.db);
    if (rows[0]?.sessions === 0) break;
    heldMs = Date.now() - begunAt;
    await pause(probeEveryMs / 4);
  }
  return heldMs;
}

async function chargesOf({ database }: Deployment, accountId: string): Promise<number> {
  const rows = await database.db
    .selectFrom('report_purchases')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', 'charged')
    .execute();
  return rows.length;
}
