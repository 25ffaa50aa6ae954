import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkAll } from './books/check-all.js';
import { noteCommits } from './books/commit-times.js';
import { Journal } from './books/journal.js';
import { summarise } from './books/summary.js';
import { Deployment } from './deployment/deployment.js';
import { Callers, type Drill, type DrillResult, type DrillWorld } from './drills/drill.js';
import type { Defect } from './faults/defects.js';
import { FaultInjector } from './faults/fault-injector.js';
import { RandomSource } from './faults/random-source.js';
import { drawSchedule } from './faults/schedule.js';
import { Timeline } from './faults/timeline.js';
import { type Customer, openCustomers, withCreditsOnly } from './load/customers.js';
import { Load } from './load/load.js';
import { ReportClient } from './load/report-client.js';
import { settle } from './load/settle.js';
import { readOptions } from './options.js';
import { gradeContinually } from './webhooks/grade-continually.js';
import { HookReceiver } from './webhooks/hook-receiver.js';
import { openEndpoints } from './webhooks/open-endpoints.js';

/**
 * `npm run test:chaos`: injects faults into a deployment under load, then checks money, reports and calls
 * (README.md). Exits with 1 when a check fails; with a planted defect, when the check that it is for does not.
 */
const customersPerMinute = 32;
const endpointsWanted = 100;

const say = (text: string) => process.stdout.write(`${text}\n`);
const options = readOptions(process.argv.slice(2), Math.floor(Date.now() / 1_000));
const { seed, minutes, defect, drills } = options;
say(`Seed ${seed}, ${minutes} minutes${defect === null ? '' : `, planted: ${defect.name}`}.`);
process.exit((await runChaos()) ? 0 : 1);

/** @returns whether the suite passed */
async function runChaos(): Promise<boolean> {
  const timeline = new Timeline();
  const deployment = await Deployment.build(timeline, defect);
  say(`Everything is up, in ${deployment.home}.`);
  // The servers lead their own process groups and would keep running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void deployment.stop(true).then(() => process.exit(130)));
  }
  let passed = false;
  try {
    passed = verdict(await injectAndCheck(deployment), defect);
  } catch (error) {
    say(`\nThe suite itself failed: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    const file = join(deployment.home, 'timeline.txt');
    await writeFile(file, `${timeline.entries.join('\n')}\n`);
    if (!passed)
      say(
        `\nSeed ${seed}. What happened, and when (also in ${file}, beside the logs):\n${timeline.entries.join('\n')}`,
      );
    await deployment.stop(!passed);
  }
  return passed;
}

function verdict(faults: readonly string[], planted: Defect | null): boolean {
  const list = faults.map(fault => `\n  ${fault}`).join('');
  if (planted === null) {
    say(faults.length === 0 ? '\nAll checks passed.' : `\n${faults.length} checks FAILED:${list}`);
    return faults.length === 0;
  }
  const catches = faults.filter(fault => planted.caughtBy.test(fault));
  say(
    catches.length > 0
      ? `\nThe planted defect ${planted.name} was CAUGHT by its check, ${catches.length} of ${faults.length} times:${list}`
      : `\nThe planted defect ${planted.name} was NOT caught by its check. Failed:${list}`,
  );
  return catches.length > 0;
}

async function injectAndCheck(deployment: Deployment): Promise<string[]> {
  const { database, timeline } = deployment;
  await noteCommits(database.db);
  const loadMinutes = drills.reduce((sum, drill) => sum + drill.loadMinutes, minutes);
  const customers = await open(deployment, Math.ceil(customersPerMinute * loadMinutes) + 1);
  const receiver = await HookReceiver.start(new RandomSource(`${seed} receivers`));
  const { keyRing } = deployment;
  const endpoints = await openEndpoints({ db: database.db, keyRing, receiver }, customers, endpointsWanted);
  const journal = new Journal();
  const client = new ReportClient(deployment.apis, new RandomSource(`${seed} routes`), journal);
  const load = new Load(client, new RandomSource(`${seed} actionWeights`), customers);
  const injector = new FaultInjector(deployment);
  timeline.note('faults begin');
  const durationMs = minutes * 60_000;
  const [graded] = await Promise.all([
    gradeContinually(database.db, Date.now() + durationMs),
    load.run(Date.now() + durationMs),
    injector.run(drawSchedule(new RandomSource(`${seed} faults`), durationMs)),
  ]);
  timeline.note('faults end');
  say('No more random faults; waiting for all runs to end.');
  const unsettled = [...(await settle(deployment))];
  const drilled: [Drill, DrillResult][] = [];
  for (const drill of drills) {
    say(`Drill: ${drill.name}.`);
    const drillCustomers = await open(deployment, drill.customers, withCreditsOnly);
    customers.push(...drillCustomers);
    const callers = new Callers(client, drillCustomers, drilled.length + 1);
    drilled.push([drill, await runDrill(drill, { deployment, injector, load, callers })]);
    unsettled.push(...(await settle(deployment)));
  }
  const result = await checkAll(deployment, {
    customers,
    journal,
    client,
    webhooks: { receiver, endpoints, graded },
  });
  say(`\n${summarise(deployment, { journal, result, options, drilled })}`);
  sayUnexpected([...deployment.unexpectedExits, ...journal.anomalies]);
  const own = [...load.faults, ...injector.faults].map(fault => `the suite itself: ${String(fault)}`);
  return [...own, ...unsettled, ...drilled.flatMap(([, { faults }]) => faults), ...result.faults];
}

async function open(
  { database, keyRing }: Deployment,
  count: number,
  ...weights: readonly (typeof withCreditsOnly)[]
): Promise<Customer[]> {
  const random = new RandomSource(`${seed} customers`);
  return [...(await openCustomers({ db: database.db, keyRing, random }, count, ...weights))];
}

/** A drill that cannot be carried out has failed. */
async function runDrill(drill: Drill, world: DrillWorld): Promise<DrillResult> {
  return drill.run(world).catch((error: unknown) => {
    return { figures: ['it could not be carried out'], faults: [`${drill.name}: ${String(error)}`] };
  });
}

function sayUnexpected(items: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const lines = [...counts].map(([what, times]) => `\n${String(times).padStart(7)}  ${what}`);
  if (lines.length > 0) say(`\nUnexpected, but no failure:${lines.join('')}`);
}
