import { until } from '../../support/until.js';
import { readEnds } from '../books/call-ends.js';
import { openReports, settle } from '../load/settle.js';
import { type Drill, type DrillResult, type DrillWorld, isSold, unless } from './drill.js';

/**
 * Stops Temporal (SIGSTOP) while members search: for less time than a failover may take, and for longer than heartbeats
 * may be missed. No process dies, so every call that a vendor received must be recorded, and the short pause must
 * repeat none.
 */
export const pausedTemporal: Drill = { name: 'paused-temporal', customers: 20, loadMinutes: 0, run };

const reportsPerPause = 5;
/** Within the time of a search, and longer than a pause after which the attempt that waits for it is given up. */
const searchesTakeMs = 27_000;
const pauses = [
  { ms: 8_000, mayRepeat: false },
  { ms: 23_000, mayRepeat: true },
] as const;

async function run(world: DrillWorld): Promise<DrillResult> {
  const results: DrillResult[] = [];
  for (const pause of pauses) results.push(await pauseDuringCalls(world, pause));
  return {
    figures: results.flatMap(({ figures }) => figures),
    faults: results.flatMap(({ faults }) => faults),
  };
}

async function pauseDuringCalls(
  { deployment, injector, callers }: DrillWorld,
  { ms, mayRepeat }: (typeof pauses)[number],
): Promise<DrillResult> {
  const { outside, timeline, database } = deployment;
  const before = { requests: outside.requests.length, ends: await readEnds(deployment) };
  const begunAt = Date.now();
  outside.setFaults([{ stage: 'research', fault: { kind: 'latency', ms: searchesTakeMs } }]);
  const sold = await Promise.all(Array.from({ length: reportsPerPause }, () => callers.buyOnce()));
  const reports = sold.filter(isSold).length;
  const asked = () => outside.requests.slice(before.requests);
  await until('models are asked', () => asked().length > reports);
  await injector.run([{ kind: 'pause', who: 'temporal', ms, atMs: 0, share: 0 }]);
  await until('the reports are made', async () => (await openReports(database.db)).length === 0);
  const unsettled = await settle(deployment);
  const ends = await readEnds(deployment);
  const recorded = ends.recorded - before.ends.recorded;
  const unused = ends.unused - before.ends.unused;
  const what = `${ms / 1_000} s with searches of ${searchesTakeMs / 1_000} s`;
  // On a machine that stood still itself, heartbeats were missed for longer.
  const wasQuick = timeline.stalledMs(begunAt, Date.now()) === 0;
  return {
    figures: [
      `${what}: ${reports} reports, ${asked().length} calls at vendors, ${recorded} recorded, ${unused} of them not used, ${ends.joined - before.ends.joined} joined by a second attempt`,
    ],
    faults: [
      ...unsettled,
      ...unless(recorded === asked().length, `paused temporal: ${what}: calls are not recorded`),
      ...unless(mayRepeat || unused === 0 || !wasQuick, `paused temporal: ${what}: calls were repeated`),
    ],
  };
}
