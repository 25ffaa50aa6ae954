import { access, constants, rename } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { binaryCacheDir, withWorkDirectory } from '../process/binary-cache.js';
import { type FolderLock, lockFolder } from '../process/folder-lock.js';
import { buildTemporal, downloadTemporal } from './fetch-temporal.js';
import { checkTemporalProgram, TEMPORAL_CLI_VERSION, type TemporalSource } from './temporal-cli.js';

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
 * One process at a time downloads or builds; the others wait, and find the result in the cache.
 * @returns its path
 * @throws Error that lists why each failed, and what to do
 */
export async function findTemporal(search: TemporalSearch): Promise<string> {
  const { env, download = downloadTemporal, build = buildTemporal } = search;
  const cacheDir = search.cacheDir ?? binaryCacheDir(env);
  const cached = join(cacheDir, `temporal-cli-v${TEMPORAL_CLI_VERSION}`, 'temporal');
  const cache: Source = ['the cache', () => checkExisting(cached)];
  const local: Source[] = [['`temporal` on the PATH', () => findOnPath(env['PATH'] ?? '')], cache];
  const remote: Source[] = [
    ["the SDK's download", () => fetchInto(cached, cacheDir, download, search)],
    ['go install', () => fetchInto(cached, cacheDir, build, search)],
  ];
  const reasons = new Set<string>();
  const here = await firstThatWorks(local, search, reasons);
  if (here !== null) return here;
  if (search.localOnly !== true) {
    const lock = await waitForLock(join(dirname(cached), 'lock'), search).catch(error => {
      search.signal?.throwIfAborted();
      throw new Error(failure(reasons.add(reasonOf('the cache folder', error)), cached));
    });
    try {
      // The cache again: another process may have fetched it in the meantime.
      const fetched = await firstThatWorks([cache, ...remote], search, reasons);
      if (fetched !== null) return fetched;
    } finally {
      await lock.release();
    }
  }
  throw new Error(failure(reasons, cached));
}

/** @param reasons receives why each source before it did not work */
async function firstThatWorks(
  sources: readonly Source[],
  { log, signal }: TemporalSearch,
  reasons: Set<string>,
): Promise<string | null> {
  for (const [name, find] of sources) {
    try {
      const binary = await find();
      log(`Temporal: using ${binary} (${name})`);
      return binary;
    } catch (error) {
      signal?.throwIfAborted();
      reasons.add(reasonOf(name, error));
    }
  }
  return null;
}

function reasonOf(source: string, error: unknown): string {
  return `${source}: ${error instanceof Error ? error.message : String(error)}`;
}

const lockRetryMs = 500;

/** Two builds at once would take twice as long, and both cores for all of that time. */
async function waitForLock(folder: string, { log, signal }: TemporalSearch): Promise<FolderLock> {
  for (let hasWaited = false; ; hasWaited = true) {
    const lock = await lockFolder(folder);
    if (!('heldBy' in lock)) return lock;
    if (!hasWaited) log(`Temporal: waiting for process ${lock.heldBy}, which is fetching the CLI`);
    await delay(lockRetryMs, undefined, { signal });
  }
}

async function findOnPath(path: string): Promise<string> {
  const reasons: string[] = [];
  // With a relative entry the result would depend on the working directory.
  for (const directory of path.split(delimiter).filter(entry => isAbsolute(entry))) {
    const candidate = join(directory, 'temporal');
    const exists = await isExecutable(candidate);
    if (!exists) continue;
    try {
      return await checkTemporalProgram(candidate);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(reasons.length === 0 ? 'not found' : reasons.join('; '));
}

async function checkExisting(binary: string): Promise<string> {
  if (!(await isExecutable(binary))) throw new Error(`${binary} not found`);
  return checkTemporalProgram(binary);
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
      const binary = await checkTemporalProgram(await fetch({ directory, env, log, terminal, signal }));
      await rename(binary, cached);
      return cached;
    } catch (error) {
      signal?.throwIfAborted();
      log(`Temporal: failed: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  });
}

function failure(reasons: ReadonlySet<string>, cached: string): string {
  return [
    'No Temporal server was found. Tried, in this order:',
    ...[...reasons].map(reason => `  - ${reason.replaceAll('\n', '\n    ')}`),
    'To fix this, do one of the following:',
    '  - set TEMPORAL_ADDRESS to a Temporal server that is already running;',
    '  - install the Temporal CLI so that `temporal` is on the PATH (https://docs.temporal.io/cli);',
    `  - put its binary at ${cached};`,
    '  - give this machine access to https://temporal.download, or Go 1.25 or newer and a Go module proxy.',
  ].join('\n');
}
