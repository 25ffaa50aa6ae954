import type { Deployment } from '../deployment/deployment.js';
import { RandomSource } from '../faults/random-source.js';
import type { ScheduledFault } from '../faults/schedule.js';
import { settle } from '../load/settle.js';
import type { Drill, DrillResult, DrillWorld } from './drill.js';

/**
 * Kills the embedded servers again and again while fifty callers buy. No report may be sold and then fail by our
 * fault. The common checks hold that the failed reports in PostgreSQL are those in Temporal.
 */
export const storm: Drill = { name: 'storm', customers: 300, loadMinutes: 0, run };

const callersAtOnce = 50;
const stormMs = 60_000;
const killEveryMs = { least: 3_000, most: 8_000 } as const;

async function run({ deployment, injector, callers }: DrillWorld): Promise<DrillResult> {
  const before = await lastReport(deployment);
  const endsAt = Date.now() + stormMs;
  await Promise.all([
    injector.run(drawKills()),
    callers.keepBuying(callersAtOnce, () => Date.now() >= endsAt),
  ]);
  return resultOf(deployment, before);
}

function drawKills(): ScheduledFault[] {
  const random = new RandomSource('storm');
  const kills: ScheduledFault[] = [];
  let atMs = killEveryMs.least;
  while (atMs < stormMs) {
    const who = random.pick(['postgres', 'temporal'] as const);
    kills.push({ atMs, share: 0, kind: 'kill', who });
    atMs += random.between(killEveryMs.least, killEveryMs.most);
  }
  return kills;
}

async function lastReport({ database }: Deployment): Promise<number> {
  const row = await database.db
    .selectFrom('reports')
    .select(eb => eb.fn.max<number | null>('id').as('id'))
    .executeTakeFirstOrThrow();
  return row.id ?? 0;
}

async function resultOf(deployment: Deployment, before: number): Promise<DrillResult> {
  const unsettled = await settle(deployment);
  const reports = await deployment.database.db
    .selectFrom('reports')
    .select(['id', 'status', 'failure_code as failure'])
    .where('id', '>', before)
    .execute();
  const failedByUs = reports.filter(({ failure }) => failure === 'internal' || failure === 'abandoned');
  const completed = reports.filter(({ status }) => status === 'completed').length;
  return {
    figures: [
      `${reports.length} reports sold, ${completed} completed, ${failedByUs.length} failed as internal or abandoned`,
    ],
    faults: [
      ...unsettled,
      ...failedByUs.map(({ id, failure }) => `storm: report ${id} was sold, and failed as ${failure}`),
    ],
  };
}
