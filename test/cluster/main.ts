import { parseArgs } from 'node:util';
import { Journal } from '../chaos/books/journal.js';
import { Callers } from '../chaos/drills/drill.js';
import { RandomSource } from '../chaos/faults/random-source.js';
import { Timeline } from '../chaos/faults/timeline.js';
import { openCustomers, withCreditsOnly } from '../chaos/load/customers.js';
import { ReportClient } from '../chaos/load/report-client.js';
import type { Act, Stage } from './acts/act.js';
import { checkBooks } from './acts/check-books.js';
import { callAtOnce } from './acts/fifty-callers.js';
import { buyFirstReports } from './acts/first-reports.js';
import { killInTurn } from './acts/kill-in-turn.js';
import { rollOutAndBack, startFirstBuild } from './acts/roll-out.js';
import { PeakMemory } from './peak-memory.js';
import { Runbook } from './runbook.js';
import { Cluster } from './servers/cluster.js';

/**
 * `npm run test:cluster`: the service on a real Temporal cluster, set up by the steps of deploy/README.md (README.md).
 * Exits with 1 when something is wrong. With `--acts`, plays some of its acts only. With `--servers`,
 * starts PostgreSQL and Temporal alone and waits for Ctrl-C.
 */
const { values } = parseArgs({
  options: { servers: { type: 'boolean', default: false }, acts: { type: 'string', default: 'all' } },
});
const allActs: readonly NamedAct[] = [
  { name: 'first', title: 'Twenty reports, one after another', act: buyFirstReports },
  { name: 'callers', title: 'Fifty callers at once', act: callAtOnce },
  { name: 'kills', title: 'Each kind of process is killed in turn', act: killInTurn },
  { name: 'rollout', title: 'A second build is rolled out, and back', act: rollOutAndBack },
  { name: 'books', title: 'The books', act: checkBooks },
];
const acts = values.acts === 'all' ? allActs : namedActs(values.acts.split(','));
const customerCount = 600;
const startMs = performance.now();
const abort = new AbortController();
let memory: PeakMemory | null = null;

const cluster = await Cluster.create(
  new Timeline(line => say(`  ${line}`)),
  await Runbook.open(abort.signal),
);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void interrupt());
try {
  await cluster.startServers(say);
  if (values.servers) await waitForInterrupt();
  else await end(await prove());
} catch (error) {
  if (!abort.signal.aborted) await end([`the suite itself: ${shortened(error)}`]);
}

interface NamedAct {
  readonly name: string;
  readonly title: string;
  readonly act: Act;
}

/** The books are always checked. @throws Error that names the acts */
function namedActs(names: readonly string[]): readonly NamedAct[] {
  const known = allActs.map(({ name }) => name);
  const unknown = names.filter(name => !known.includes(name));
  if (unknown.length > 0) throw new Error(`--acts takes all, or some of ${known.join(', ')}`);
  return allActs.filter(({ name }) => name === 'books' || names.includes(name));
}

/** A line of the story, with the time since its beginning. */
function say(line: string): void {
  const seconds = Math.floor((performance.now() - startMs) / 1_000);
  const clock = `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
  process.stdout.write(`${clock}  ${line}\n`);
}

/** Without the ends of long lines: Temporal logs a stack trace in one. */
function shortened(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll(/^(.{400}).*$/gm, '$1…');
}

async function prove(): Promise<readonly string[]> {
  await cluster.startOutside();
  await startFirstBuild({ cluster, say });
  memory = new PeakMemory(() => cluster.running);
  const { database, temporal } = cluster.connect();
  const random = new RandomSource('customers');
  const customers = await openCustomers(
    { db: database.db, keyRing: cluster.keyRing, random },
    customerCount,
    withCreditsOnly,
  );
  const journal = new Journal();
  const proxy = { url: cluster.env['PUBLIC_URL'] ?? '' };
  const client = new ReportClient([proxy], new RandomSource('routes'), journal);
  const callers = new Callers(client, customers, 1);
  const stage: Stage = { cluster, database, temporal, customers, callers, journal, say };
  const faults: string[] = [];
  for (const { title, act } of acts) {
    say('');
    say(title);
    faults.push(...(await act(stage)));
  }
  // A step may belong to an act that was left out.
  const { unused } = cluster.runbook;
  const ofTheDocument = acts.length < allActs.length ? [] : unused.filter(step => step !== 'programs');
  faults.push(...ofTheDocument.map(step => `deploy/README.md has a step that nothing ran: ${step}`));
  return faults;
}

async function end(faults: readonly string[]): Promise<void> {
  say('');
  for (const line of memory?.lines() ?? []) say(line);
  for (const fault of faults) say(`WRONG: ${fault}`);
  const passed = faults.length === 0;
  await cluster.stop(!passed);
  say(passed ? 'All checks passed.' : `${faults.length} checks FAILED. The logs are in ${cluster.home}.`);
  process.exit(passed ? 0 : 1);
}

async function interrupt(): Promise<void> {
  say('Interrupted: stopping everything.');
  abort.abort();
  await cluster.stop(false);
  process.exit(130);
}

/** Until Ctrl-C. */
async function waitForInterrupt(): Promise<void> {
  say('Temporal and PostgreSQL run until Ctrl-C. For `npm run bench`:');
  process.stdout.write(
    `export TEMPORAL_ADDRESS=${cluster.env['TEMPORAL_ADDRESS']}\nexport DATABASE_URL=${cluster.ownerUrl}\n`,
  );
  await new Promise(() => undefined);
}
