import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { goInstall } from '../process/go-install.js';
import { showProgress } from '../process/progress.js';
import { runTask } from '../process/run-command.js';
import { TEMPORAL_CLI_VERSION, type TemporalSource } from './temporal-cli.js';

const require = createRequire(import.meta.url);

const FIRST_BYTE_MS = 12_000;
const STALLED_MS = 60_000;

/**
 * Runs in a separate process, because the SDK's runtime can be installed only once per process, and to be able to kill
 * a download that hangs. The SDK downloads the CLI when it starts a test server.
 */
const SCRIPT = `
const [testing, downloadDir, version] = process.argv.slice(1);
const { TestWorkflowEnvironment } = require(testing);
const executable = { type: 'cached-download', downloadDir, version };
TestWorkflowEnvironment.createLocal({ server: { executable } }).then(
  environment => environment.teardown(),
  error => { process.stderr.write(String(error.message) + '\\n'); process.exit(1); },
);`;

/** Lets the Temporal SDK download the official CLI. Gives up soon without internet. @returns the path of the file */
export async function downloadTemporal({
  directory,
  env,
  log,
  terminal,
  signal,
}: TemporalSource): Promise<string> {
  log(`Temporal: downloading the official CLI ${TEMPORAL_CLI_VERSION} from temporal.download`);
  const watch = new AbortController();
  const state = { bytes: 0, changedAt: performance.now() };
  const timer = setInterval(() => void watchGrowth(directory, state, watch), 500);
  const done = showProgress({
    log,
    terminal,
    describe: seconds => `Temporal: downloading the CLI, ${seconds} s, ${Math.round(state.bytes / 1e6)} MB`,
  });
  let failure: unknown;
  try {
    await runTask({
      command: process.execPath,
      args: ['-e', SCRIPT, require.resolve('@temporalio/testing'), directory, `v${TEMPORAL_CLI_VERSION}`],
      cwd: directory,
      env,
      signal: signal === undefined ? watch.signal : AbortSignal.any([signal, watch.signal]),
      onLine: () => undefined,
    });
  } catch (error) {
    failure = error;
  } finally {
    clearInterval(timer);
    done();
  }
  signal?.throwIfAborted();
  // On a busy machine the server may not start within the SDK's five seconds, although the download is complete.
  const file = (await readdir(directory)).find(name => !name.endsWith('.downloading'));
  if (file === undefined) throw failure ?? new Error('the SDK reported success, but there is no file');
  return join(directory, file);
}

interface Growth {
  bytes: number;
  changedAt: number;
}

/** Aborts a download that receives nothing for a while. A slow one can take as long as it needs. */
async function watchGrowth(directory: string, state: Growth, watch: AbortController): Promise<void> {
  const bytes = await sizeOfFiles(directory);
  if (bytes !== state.bytes) Object.assign(state, { bytes, changedAt: performance.now() });
  const timeoutMs = bytes === 0 ? FIRST_BYTE_MS : STALLED_MS;
  if (performance.now() - state.changedAt > timeoutMs) {
    watch.abort(new Error(`temporal.download sent nothing for ${timeoutMs / 1000} s`));
  }
}

async function sizeOfFiles(directory: string): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  // A file may be missing by now: the SDK renames it when it is complete.
  const found = await Promise.all(names.map(name => stat(join(directory, name)).catch(() => undefined)));
  return found.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

const MODULE = `github.com/temporalio/cli/cmd/temporal@v${TEMPORAL_CLI_VERSION}`;
const LONGEST_MS = 45 * 60_000;

/** Builds the official CLI with Go, in about five minutes on two cores. @returns the path of the file */
export async function buildTemporal({
  directory,
  env,
  log,
  terminal,
  signal,
}: TemporalSource): Promise<string> {
  const count = { modules: 0, packages: 0 };
  let done: () => void = () => undefined;
  try {
    return await goInstall({
      module: MODULE,
      directory,
      env,
      longestMs: LONGEST_MS,
      signal,
      onStart: version => {
        log(
          `Temporal: building the official CLI ${TEMPORAL_CLI_VERSION} (${version}); this takes about five minutes, once`,
        );
        done = showProgress({
          log,
          terminal,
          describe: seconds =>
            `Temporal: building, ${seconds} s, ${count.modules} modules fetched, ${count.packages} packages compiled`,
        });
      },
      onLine: line => {
        if (line.startsWith('go: ')) count.modules += 1;
        else count.packages += 1;
      },
    });
  } finally {
    done();
  }
}
