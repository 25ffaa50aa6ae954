import { until } from '../../support/until.js';
import type { Deployment } from '../deployment/deployment.js';
import { type Drill, type DrillResult, type DrillWorld, isSold, seconds, unless } from './drill.js';

/**
 * Cuts PostgreSQL off for a minute under load, without closing a connection (no RST). Everything must recover
 * without a process being restarted. The common checks hold that the books are right, and that no model is asked
 * twice for an answer that it has given.
 */
export const cutOff: Drill = { name: 'cut-off', customers: 60, loadMinutes: 1.5, run };

const cutAfterMs = 10_000;
const cutForMs = 60_000;
/** The pools notice after 65 seconds without a response, and a request waits for its turn. */
const recoveredWithinMs = 45_000;
/** After the load has ended. The limits are in db/database.ts. */
const noticedWithinMs = 90_000;

async function run({ deployment, injector, load, callers }: DrillWorld): Promise<DrillResult> {
  const exitsBefore = deployment.unexpectedExits.length;
  const begunAt = Date.now();
  const loaded = load.run(begunAt + 60_000 * cutOff.loadMinutes);
  const condition = { kind: 'cut' } as const;
  const fault = { kind: 'line', from: 'everybody', to: 'postgres', condition, ms: cutForMs } as const;
  const healed = injector.run([{ ...fault, atMs: cutAfterMs, share: 0 }]);
  await until('the cut is over', () => Date.now() > begunAt + cutAfterMs + cutForMs);
  const healedAt = Date.now();
  const soldAfterMs = await msUntil(healedAt, async () => isSold(await callers.buyOnce()));
  const readyAfterMs = await msUntil(healedAt, () => deployment.isReady());
  await Promise.all([loaded, healed]);
  const lost = () => lostConnections(deployment);
  await until(
    'lost connections are noticed',
    lost,
    ({ near, far }) => near + far === 0,
    noticedWithinMs,
  ).catch(() => undefined);
  const { near, far } = lost();
  const exits = deployment.unexpectedExits.slice(exitsBefore);
  const allowedMs = recoveredWithinMs + deployment.timeline.stalledMs(healedAt, Date.now());
  const late = (what: string, ms: number) =>
    unless(ms <= allowedMs, `cut-off: ${what} only ${seconds(ms)} after the end of the cut`);
  return {
    figures: [
      `sold again ${seconds(soldAfterMs)} after the end of the cut, every process ready after ${seconds(readyAfterMs)}`,
      `${exits.length} processes ended`,
      `lost connections still open: ${near} in the processes, ${far} in PostgreSQL`,
    ],
    faults: [
      ...late('sold again', soldAfterMs),
      ...late('every process was ready', readyAfterMs),
      ...exits.map(exit => `cut-off: ${exit}`),
      ...unless(near === 0, `cut-off: the processes still wait on ${near} lost connections`),
      ...unless(far === 0, `cut-off: PostgreSQL still holds ${far} sessions of lost connections`),
    ],
  };
}

/** Infinity when it does not happen. */
async function msUntil(sinceMs: number, poll: () => Promise<boolean>): Promise<number> {
  return until('the service has recovered', poll).then(
    () => Date.now() - sinceMs,
    () => Number.POSITIVE_INFINITY,
  );
}

function lostConnections({ network, processes }: Deployment) {
  const links = processes.map(({ name }) => network.link(name, 'postgres').lostForGood);
  return {
    near: links.reduce((sum, each) => sum + each.near, 0),
    far: links.reduce((sum, each) => sum + each.far, 0),
  };
}
