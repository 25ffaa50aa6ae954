import { access, constants, mkdir, rename } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { binaryCacheDir, withWorkDirectory } from '../process/binary-cache.js';
import { buildTemporal, downloadTemporal } from './fetch-temporal.js';
import { checkTemporal, TEMPORAL_CLI_VERSION, type TemporalSource } from './temporal-cli.js';

/** A place where the CLI may be found, and a function that returns its path or throws. */
type Source = [name: string, find: () => Promise<string>];

/** Downloads or builds the CLI. @returns the path of the file */
type Fetch = (source: TemporalSource) => Promise<string>;

export interface TemporalSearch extends Omit<TemporalSource, 'directory'> {
  /** The folder for a downloaded or built CLI; by default in the cache folder of the user. */
  readonly cacheDir?: string | undefined;
  readonly download?: Fetch;
  readonly build?: Fetch;
  /** Searches this machine only: nothing is downloaded, built or written. */
  readonly localOnly?: boolean;
}

/**
 * Finds a Temporal CLI that works: on the PATH, in the cache, by download, or by building it with Go, in this order.
 * @returns its path
 * @throws Error that lists why each failed, and what to do
 */
export async function findTemporal(search: TemporalSearch): Promise<string> {
  const { env, log, signal, download = downloadTemporal, build = buildTemporal } = search;
  const cacheDir = search.cacheDir ?? binaryCacheDir(env);
  const cached = join(cacheDir, `temporal-cli-v${TEMPORAL_CLI_VERSION}`, 'temporal');
  const local: Source[] = [
    ['`temporal` on the PATH', () => findOnPath(env['PATH'] ?? '')],
    ['the cache', () => checkExisting(cached)],
  ];
  const remote: Source[] = [
    ["the SDK's download", () => fetchInto(cached, cacheDir, download, search)],
    ['go install', () => fetchInto(cached, cacheDir, build, search)],
  ];
  const sources = search.localOnly === true ? local : [...local, ...remote];
  const reasons: string[] = [];
  for (const [name, find] of sources) {
    try {
      const binary = await find();
      log(`Temporal: using ${binary} (${name})`);
      return binary;
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(`${name}: ${reason}`);
    }
  }
  throw new Error(failure(reasons, cached));
}

async function findOnPath(path: string): Promise<string> {
  const reasons: string[] = [];
  // With a relative entry the result would depend on the working directory.
  for (const directory of path.split(delimiter).filter(entry => isAbsolute(entry))) {
    const candidate = join(directory, 'temporal');
    const exists = await isExecutable(candidate);
    if (!exists) continue;
    try {
      return await checkTemporal(candidate);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(reasons.length === 0 ? 'not found' : reasons.join('; '));
}

async function checkExisting(binary: string): Promise<string> {
  if (!(await isExecutable(binary))) throw new Error(`${binary} not found`);
  return checkTemporal(binary);
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Works in a separate directory and renames the checked file, so that the cache never contains an incomplete one. */
function fetchInto(cached: string, cacheDir: string, fetch: Fetch, search: TemporalSearch): Promise<string> {
  return withWorkDirectory(cacheDir, async directory => {
    const { env, log, terminal, signal } = search;
    try {
      const binary = await checkTemporal(await fetch({ directory, env, log, terminal, signal }));
      await mkdir(dirname(cached), { recursive: true });
      await rename(binary, cached);
      return cached;
    } catch (error) {
      signal?.throwIfAborted();
      log(`Temporal: failed: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  });
}

function failure(reasons: readonly string[], cached: string): string {
  return [
    'No Temporal server was found. Tried, in this order:',
    ...reasons.map(reason => `  - ${reason.replaceAll('\n', '\n    ')}`),
    'To fix this, do one of the following:',
    '  - set TEMPORAL_ADDRESS to a Temporal server that is already running;',
    '  - install the Temporal CLI so that `temporal` is on the PATH (https://docs.temporal.io/cli);',
    `  - put its binary at ${cached};`,
    '  - give this machine access to https://temporal.download, or Go 1.25 or newer and a Go module proxy.',
  ].join('\n');
}
