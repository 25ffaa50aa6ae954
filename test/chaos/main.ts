import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkAll } from './books/check-all.js';
import { Journal } from './books/journal.js';
import { noteStoredAnswers } from './books/stored-answers.js';
import { summarise } from './books/summary.js';
import { Deployment } from './deployment/deployment.js';
import { FaultInjector } from './faults/fault-injector.js';
import { RandomSource } from './faults/random-source.js';
import { drawSchedule } from './faults/schedule.js';
import { Timeline } from './faults/timeline.js';
import { openCustomers } from './load/customers.js';
import { Load } from './load/load.js';
import { ReportClient } from './load/report-client.js';
import { settle } from './load/settle.js';
import { type ChaosOptions, readOptions } from './options.js';

/**
 * `npm run test:chaos`: injects faults into a deployment under load, then checks money, reports and calls.
 * Exits with 1 when a check fails.
 */
const customersPerMinute = 32;

const say = (text: string) => process.stdout.write(`${text}\n`);
const options = readOptions(process.argv.slice(2), Math.floor(Date.now() / 1_000));
say(
  `Seed ${options.seed}, ${options.minutes} minutes${options.defect === null ? '' : `, planted: ${options.defect.name}`}.`,
);
process.exit((await runChaos(options)) ? 0 : 1);

/** @returns whether all checks passed */
async function runChaos({ seed, minutes, defect }: ChaosOptions): Promise<boolean> {
  const timeline = new Timeline();
  const deployment = await Deployment.build(timeline, defect);
  say(`Everything is up, in ${deployment.home}.`);
  // The servers lead their own process groups and would keep running.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void deployment.stop(true).then(() => process.exit(130)));
  }
  let passed = false;
  try {
    const faults = await injectAndCheck(deployment, { seed, minutes, defect });
    passed = faults.length === 0;
    say(passed ? '\nAll checks passed.' : `\n${faults.length} checks FAILED:\n  ${faults.join('\n  ')}`);
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

async function injectAndCheck(deployment: Deployment, options: ChaosOptions): Promise<string[]> {
  const { seed, minutes } = options;
  const durationMs = minutes * 60_000;
  const { keyRing, database, timeline } = deployment;
  await noteStoredAnswers(database.db);
  const customers = await openCustomers(
    { db: database.db, keyRing, random: new RandomSource(`${seed} customers`) },
    Math.ceil(customersPerMinute * minutes),
  );
  const journal = new Journal();
  const client = new ReportClient(deployment.apis, new RandomSource(`${seed} routes`), journal);
  const load = new Load(client, new RandomSource(`${seed} actionWeights`), customers);
  const injector = new FaultInjector(deployment);
  timeline.note('faults begin');
  await Promise.all([
    load.run(Date.now() + durationMs),
    injector.run(drawSchedule(new RandomSource(`${seed} faults`), durationMs)),
  ]);
  timeline.note('faults end');
  say('No more faults; waiting for all runs to end.');
  const unsettled = await settle(deployment);
  const result = await checkAll(deployment, { customers, journal, client });
  say(`\n${summarise(deployment, journal, result, options)}`);
  const unexpected = [...deployment.unexpectedExits, ...journal.anomalies];
  if (unexpected.length > 0)
    say(
      `\nUnexpected, but no failure:\n${[...tally(unexpected)].map(([what, n]) => `${String(n).padStart(7)}  ${what}`).join('\n')}`,
    );
  const own = [...load.faults, ...injector.faults].map(fault => `the suite itself: ${String(fault)}`);
  return [...own, ...unsettled, ...result.faults];
}

function tally(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
