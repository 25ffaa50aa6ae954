import type { Build } from '../servers/build.js';
import type { Stage } from './act.js';
import { sayTally } from './tally.js';

const callersAtOnce = 10;
const workersPerBuild = 3;
const apisPerBuild = 2;

/** The first rollout: tables, workers, the first current build, and then the APIs. */
export async function startFirstBuild({ cluster, say }: Pick<Stage, 'cluster' | 'say'>): Promise<void> {
  const build = cluster.build('one');
  await build.run('migrate');
  await build.startWorkers(workersPerBuild);
  await build.run('make-current', { NEW: build.id });
  await build.startApis(apisPerBuild);
  say(`${workersPerBuild} workers and ${apisPerBuild} APIs of build ${build.id} are ready.`);
}

/** Rolls a second build out under load, and back again, by the steps of deploy/README.md. */
export async function rollOutAndBack(stage: Stage): Promise<readonly string[]> {
  const { cluster, callers, journal, say } = stage;
  const from = journal.attempts.length;
  let isOver = false;
  const load = callers.keepBuying(callersAtOnce, () => isOver);
  try {
    const [old, next] = [cluster.build('one'), await cluster.addBuild('two')];
    await next.run('migrate');
    await next.startWorkers(workersPerBuild);
    await replace(old, next, say);
    say('Back again.');
    await old.startWorkers(workersPerBuild);
    await replace(next, old, say);
  } finally {
    isOver = true;
    await load;
  }
  const attempts = journal.attempts.slice(from);
  sayTally(say, `${callersAtOnce} callers meanwhile`, attempts);
  return attempts.flatMap(({ outcome }) =>
    outcome.kind === 'refusal' && outcome.status !== 503
      ? [`during the rollout, a purchase was refused with ${outcome.status} ${outcome.code}`]
      : [],
  );
}

/** The workers of both run. Ends with those of the old build stopped, because it has no open runs. */
async function replace(old: Build, next: Build, say: (line: string) => void): Promise<void> {
  await next.run('make-current', { NEW: next.id });
  say(`Build ${next.id} is current: new runs start on it.`);
  for (let number = 1; number <= apisPerBuild; number++) {
    await next.startApis(1);
    await old.stopOneApi();
  }
  say(`The APIs of build ${next.id} have replaced those of build ${old.id}, one after the other.`);
  await next.run('drain', { OLD: old.id });
  await old.stopWorkers();
  say(`Build ${old.id} is drained, and its workers are stopped.`);
}
