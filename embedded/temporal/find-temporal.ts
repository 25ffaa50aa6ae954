import { access, constants, mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { buildTemporal, downloadTemporal, withWorkDirectory } from './fetch-temporal.js';
import { checkTemporal, TEMPORAL_CLI_VERSION, type TemporalSource } from './temporal-cli.js';

/** A way of coming by a CLI that works, by its name. */
type Way = [name: string, take: () => Promise<string>];

/** A way of getting the CLI into a directory. */
type Fetch = (source: TemporalSource) => Promise<string>;

/** What {@link findTemporal} searches. */
export interface TemporalSearch extends Omit<TemporalSource, 'directory'> {
  /** Where a downloaded or built CLI is kept; by default the user's cache directory, as `env` names it. */
  readonly cacheDir?: string | undefined;
  readonly download?: Fetch;
  readonly build?: Fetch;
  /** Only what is on this machine already: nothing is downloaded, built or written. */
  readonly localOnly?: boolean;
}

/**
 * The path of a Temporal CLI that was seen to work: on the PATH, in the cache, downloaded by the SDK, or built with Go, in
 * this order. If all fail, one error lists every reason and what can be done.
 */
export async function findTemporal(search: TemporalSearch): Promise<string> {
  const { env, log, signal, download = downloadTemporal, build = buildTemporal } = search;
  const cacheDir = search.cacheDir ?? defaultCacheDir(env);
  const cached = join(cacheDir, `temporal-cli-v${TEMPORAL_CLI_VERSION}`, 'temporal');
  const here: Way[] = [
    ['`temporal` on the PATH', () => findOnPath(env['PATH'] ?? '')],
    ['the cache', () => checkExisting(cached)],
  ];
  const elsewhere: Way[] = [
    ["the SDK's download", () => fetchInto(cached, cacheDir, download, search)],
    ['go install', () => fetchInto(cached, cacheDir, build, search)],
  ];
  const ways = search.localOnly === true ? here : [...here, ...elsewhere];
  const reasons: string[] = [];
  for (const [name, way] of ways) {
    try {
      const binary = await way();
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

function defaultCacheDir(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  return join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'council-report-service');
}

async function findOnPath(path: string): Promise<string> {
  const reasons: string[] = [];
  // A relative entry would make what is run depend on where one happens to stand.
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
  throw new Error(reasons.length === 0 ? 'there is none' : reasons.join('; '));
}

async function checkExisting(binary: string): Promise<string> {
  if (!(await isExecutable(binary))) throw new Error(`there is no ${binary}`);
  return checkTemporal(binary);
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Two starts at once each work in a directory of their own and rename a checked file: the cache never holds half of one. */
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
      // Whoever waits wants to know at once why it goes on with the next way.
      log(`Temporal: that failed: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    }
  });
}

function failure(reasons: readonly string[], cached: string): string {
  return [
    'No Temporal server could be found. Tried, in order:',
    ...reasons.map(reason => `  - ${reason.replaceAll('\n', '\n    ')}`),
    'Any one of these mends it:',
    '  - set TEMPORAL_ADDRESS to a Temporal server that is already running;',
    '  - install the Temporal CLI so that `temporal` is on the PATH (https://docs.temporal.io/cli);',
    `  - put its binary at ${cached};`,
    '  - give this machine access to https://temporal.download, or Go 1.25 or newer and a Go module proxy.',
  ].join('\n');
}
