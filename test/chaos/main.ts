import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkAll } from './books/check-all.js';
import { Diary } from './books/diary.js';
import { noteStoredAnswers } from './books/stored-answers.js';
import { summarise } from './books/summary.js';
import { openCustomers } from './load/customers.js';
import { Load } from './load/load.js';
import { settle } from './load/settle.js';
import { Shop } from './load/shop.js';
import { type ChaosOptions, readOptions } from './options.js';
import { Stage } from './stage/stage.js';
import { Chance } from './storm/chance.js';
import { drawScript } from './storm/script.js';
import { Storm } from './storm/storm.js';
import { Timeline } from './storm/timeline.js';

/** `npm run test:chaos`: a deployment in a storm, and whether everything holds when it is over. Ends with 1 when it does not. */
const customersPerMinute = 32;

const say = (text: string) => process.stdout.write(`${text}\n`);
const options = readOptions(process.argv.slice(2), Math.floor(Date.now() / 1_000));
say(
  `Seed ${options.seed}, ${options.minutes} minutes${options.plant === null ? '' : `, planted: ${options.plant.name}`}.`,
);
process.exit((await weather(options)) ? 0 : 1);

/** @returns whether everything held */
async function weather({ seed, minutes, plant }: ChaosOptions): Promise<boolean> {
  const timeline = new Timeline();
  const stage = await Stage.build(timeline, plant);
  say(`Everything is up, in ${stage.home}.`);
  // The servers lead process groups of their own, and would stay behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stage.stop(true).then(() => process.exit(130)));
  }
  let held = false;
  try {
    const faults = await storm(stage, { seed, minutes, plant });
    held = faults.length === 0;
    say(
      held
        ? '\nEverything held.'
        : `\nIt did NOT hold, in ${faults.length} places:\n  ${faults.join('\n  ')}`,
    );
  } catch (error) {
    say(`\nThe suite itself failed: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    const file = join(stage.home, 'timeline.txt');
    await writeFile(file, `${timeline.told.join('\n')}\n`);
    if (!held)
      say(
        `\nSeed ${seed}. What happened, and when (also in ${file}, beside the logs):\n${timeline.told.join('\n')}`,
      );
    await stage.stop(!held);
  }
  return held;
}

async function storm(stage: Stage, options: ChaosOptions): Promise<string[]> {
  const { seed, minutes } = options;
  const stormMs = minutes * 60_000;
  const { keyRing, database, timeline } = stage;
  await noteStoredAnswers(database.db);
  const customers = await openCustomers(
    { db: database.db, keyRing, chance: new Chance(`${seed} customers`) },
    Math.ceil(customersPerMinute * minutes),
  );
  const diary = new Diary();
  const shop = new Shop(stage.apis, new Chance(`${seed} ways`), diary);
  const load = new Load(shop, new Chance(`${seed} errands`), customers);
  const sky = new Storm(stage);
  timeline.note('the storm begins');
  await Promise.all([
    load.run(Date.now() + stormMs),
    sky.rage(drawScript(new Chance(`${seed} storm`), stormMs)),
  ]);
  timeline.note('the storm is over');
  say('The storm is over; waiting until everything has come to its end.');
  const unsettled = await settle(stage);
  const verdict = await checkAll(stage, { customers, diary, shop });
  say(`\n${summarise(stage, diary, verdict, options)}`);
  const odd = [...stage.deaths, ...diary.oddities];
  if (odd.length > 0)
    say(
      `\nWorth a look:\n${[...tally(odd)].map(([what, n]) => `${String(n).padStart(7)}  ${what}`).join('\n')}`,
    );
  const own = [...load.faults, ...sky.faults].map(fault => `the suite itself: ${String(fault)}`);
  return [...own, ...unsettled, ...verdict.faults];
}

function tally(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
