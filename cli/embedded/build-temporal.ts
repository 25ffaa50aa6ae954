import { join } from 'node:path';
import { showProgress } from './progress.js';
import { runTask } from './run-task.js';
import type { TemporalSource } from './temporal-source.js';
import { TEMPORAL_CLI_VERSION } from './temporal-version.js';

const MODULE = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`;
const LONGEST_MS = 45 * 60_000;

/** Builds the official CLI with Go into the directory and answers the file. Takes about five minutes on two cores. */
export async function buildTemporal({
  directory,
  env,
  log,
  terminal,
  signal,
}: TemporalSource): Promise<string> {
  const limit = AbortSignal.timeout(LONGEST_MS);
  const task = {
    command: 'go',
    cwd: directory,
    // GOTMPDIR: an aborted build leaves hundreds of MB, which go away with the directory.
    env: { ...env, GOBIN: directory, GOTMPDIR: directory, GO111MODULE: 'on' },
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  };
  let version = '';
  await runTask({ ...task, args: ['version'], onLine: line => (version = line) }).catch((error: unknown) => {
    throw new Error('Go is not on the PATH', { cause: error });
  });
  log(
    `Temporal: building the official CLI ${TEMPORAL_CLI_VERSION} (${version}), once, about five minutes on two cores`,
  );
  const count = { modules: 0, packages: 0 };
  const done = showProgress({
    log,
    terminal,
    describe: seconds =>
      `Temporal: building, ${seconds} s, ${count.modules} modules fetched, ${count.packages} packages compiled`,
  });
  try {
    await runTask({
      ...task,
      args: ['install', '-v', MODULE],
      onLine: line => {
        if (line.startsWith('go: ')) count.modules += 1;
        else count.packages += 1;
      },
    });
  } finally {
    done();
  }
  return join(directory, 'temporal');
}
