import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { type Measured, median, rounded } from '../results/measurement.js';

const homes = 2;
const warmStartsEach = 2;

/** Measures a cold and a warm `npm start` of the built service. */
export async function benchStart(env: NodeJS.ProcessEnv): Promise<Measured> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let i = 0; i < homes; i += 1) {
    const home = await mkdtemp(join(tmpdir(), 'council-bench-'));
    // As root, the database runs as another user, who needs access.
    await chmod(home, 0o711);
    cold.push(await secondsToReady(env, home));
    for (let j = 0; j < warmStartsEach; j += 1) warm.push(await secondsToReady(env, home));
    await rm(home, { recursive: true, force: true });
  }
  const summarize = (seconds: readonly number[]) => ({
    starts: seconds.length,
    median: rounded(median(seconds)),
    slowest: rounded(Math.max(...seconds)),
  });
  const figures = { cold_seconds: summarize(cold), warm_seconds: summarize(warm) };
  return {
    figures,
    table: {
      head: ['start', 'median s', 'slowest s', 'starts'],
      rows: [
        ['cold: a new `COUNCIL_HOME`', ...rowOf(figures.cold_seconds)],
        ['warm: an existing `COUNCIL_HOME`', ...rowOf(figures.warm_seconds)],
      ],
    },
    goals: [],
  };
}

function rowOf({ median, slowest, starts }: { median: number; slowest: number; starts: number }): number[] {
  return [median, slowest, starts];
}

async function secondsToReady(env: NodeJS.ProcessEnv, home: string): Promise<number> {
  const startMs = performance.now();
  const child = spawn('node', [join(projectFiles.root, 'dist', 'cli', 'start.js')], {
    env: { PATH: env['PATH'], HOME: env['HOME'], COUNCIL_HOME: home, PORT: '0', TEMPORAL_UI_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise<void>(resolve => {
    lines.on('line', line => {
      if (line.startsWith('Ready: ')) resolve();
    });
  });
  const died = ended.then(() => {
    throw new Error('the service ended before it was ready');
  });
  died.catch(() => undefined);
  await Promise.race([ready, died]);
  const seconds = (performance.now() - startMs) / 1_000;
  child.kill('SIGTERM');
  await ended;
  return seconds;
}
