import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findTemporal } from '../../../../platform/embedded/temporal/find-temporal.js';
import { until } from '../../../support/until.js';
import { scratchDirectory } from '../support.js';

const scratch = await scratchDirectory();
const GOOD = 'temporal version 9.9.9 (Server 1.29.1, UI 2.42.1)';

async function fakeBinary(directory: string, output: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, 'temporal');
  await writeFile(path, `#!/bin/sh\necho '${output}'\n`);
  await chmod(path, 0o755);
  return path;
}

/** What a search leaves in its cache folder: no claim of a lock, and nothing incomplete. */
const versionFolder = 'temporal-cli-v1.5.1';
const emptyCache = [versionFolder, join(versionFolder, 'lock')];

async function contentOf(cacheDir: string): Promise<string[]> {
  return (await readdir(cacheDir, { recursive: true })).sort();
}

const fail = (message: string) => () => Promise.reject(new Error(message));

/** Finds nothing on the PATH, in the folder of this name, or elsewhere. */
const nothingIn = (folder: string) => ({
  env: { PATH: '' },
  cacheDir: join(scratch, folder),
  log: (_line: string): unknown => undefined,
  download: fail('-'),
  build: fail('-'),
});

describe('finding a Temporal CLI', () => {
  test('lists everything that was tried, and how to fix it, when nothing is found', async () => {
    const cacheDir = join(scratch, 'empty');
    const lines: string[] = [];
    const search = findTemporal({
      env: { PATH: join(scratch, 'nothing') },
      cacheDir,
      log: line => lines.push(line),
      download: fail('no internet'),
    });
    await expect(search).rejects.toThrow(
      new RegExp(
        '`temporal` on the PATH: not found[^]*the cache: [^]*/temporal not found[^]*' +
          "the SDK's download: no internet[^]*go install: Go is not on the PATH[^]*TEMPORAL_ADDRESS",
      ),
    );
    expect(lines).toEqual(['Temporal: failed: no internet', 'Temporal: failed: Go is not on the PATH']);
    expect(await contentOf(cacheDir)).toEqual(emptyCache);
  });

  test('says so when its cache folder cannot be written', async () => {
    const search = nothingIn('a-file');
    await writeFile(search.cacheDir, '');
    await expect(findTemporal(search)).rejects.toThrow(/the cache folder: .*ENOTDIR[^]*TEMPORAL_ADDRESS/);
  });

  test('prefers the PATH, but not a CLI that is too old or something else of that name', async () => {
    const good = await fakeBinary(join(scratch, 'good'), GOOD);
    await fakeBinary(join(scratch, 'old'), 'temporal version 1.1.0 (Server 1.25.0, UI 2.3.0)');
    await fakeBinary(join(scratch, 'other'), 'a temporal database');
    const path = (...names: string[]) => ({ PATH: names.map(name => join(scratch, name)).join(':') });
    const rest = nothingIn('empty');
    expect(await findTemporal({ ...rest, env: path('old', 'other', 'good') })).toBe(good);
    await expect(findTemporal({ ...rest, env: path('old', 'other') })).rejects.toThrow(
      /server 1\.25; 1\.28 or newer is required; .*not the Temporal CLI/,
    );
    await expect(findTemporal({ ...rest, env: { PATH: '.' } })).rejects.toThrow('not found');
  });

  test('keeps a downloaded or built CLI only if it works', async () => {
    const cacheHome = join(scratch, 'cache-home');
    const env = { PATH: '', XDG_CACHE_HOME: cacheHome };
    const search = {
      env,
      log: () => undefined,
      download: ({ directory }: { directory: string }) => fakeBinary(directory, 'half a file'),
      build: ({ directory }: { directory: string }) => fakeBinary(directory, GOOD),
    };
    const cached = join(cacheHome, 'council-report-service', 'temporal-cli-v1.5.1', 'temporal');
    expect(await findTemporal(search)).toBe(cached);
    expect(await findTemporal({ ...search, build: fail('must not be reached') })).toBe(cached);
    expect(await contentOf(join(cacheHome, 'council-report-service'))).toEqual([
      ...emptyCache,
      join(versionFolder, 'temporal'),
    ]);
  });

  test('builds once for all processes that start at the same time', async () => {
    let builds = 0;
    const lines: string[] = [];
    const search = {
      ...nothingIn('shared'),
      log: (line: string) => lines.push(line),
      build: async ({ directory }: { directory: string }) => {
        builds += 1;
        await until('another process waits', () => lines.some(line => line.includes('waiting for process')));
        return fakeBinary(directory, GOOD);
      },
    };
    const found = await Promise.all([findTemporal(search), findTemporal(search)]);
    expect(found[0]).toBe(found[1]);
    expect(builds).toBe(1);
    expect(lines).toContain(`Temporal: waiting for process ${process.pid}, which is fetching the CLI`);
  });

  test('does not build what another process has built since it looked', async () => {
    const search = nothingIn('just-built');
    const built = await fakeBinary(join(search.cacheDir, versionFolder), GOOD);
    // Broken at the first look, which comes before the lock, and whole at the second.
    await writeFile(built, `#!/bin/sh\n[ -e "$0.seen" ] && echo '${GOOD}'\ntouch "$0.seen"\n`);
    expect(await findTemporal(search)).toBe(built);
  });

  test('builds itself when the process that it waited for failed', async () => {
    const lines: string[] = [];
    let downloads = 0;
    const search = {
      ...nothingIn('failed'),
      log: (line: string) => lines.push(line),
      download: async ({ directory }: { directory: string }) => {
        downloads += 1;
        if (downloads === 2) return fakeBinary(directory, GOOD);
        await until('another process waits', () => lines.some(line => line.includes('waiting for process')));
        throw new Error('cut off');
      },
    };
    const both = await Promise.allSettled([findTemporal(search), findTemporal(search)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('stops when aborted, without trying the next source', async () => {
    const abort = new AbortController();
    const search = findTemporal({
      ...nothingIn('aborted'),
      signal: abort.signal,
      download: () => {
        abort.abort(new Error('asked to stop'));
        return Promise.reject(new Error('cut short'));
      },
    });
    await expect(search).rejects.toThrow('asked to stop');
  });
});

test('a build shows its progress, and an abort ends it with all its processes', async () => {
  const tools = join(scratch, 'tools');
  await mkdir(tools);
  const script = `#!/bin/sh
[ "$1" = version ] && echo 'go version go1.99' && exit
echo 'go: downloading a v1'; echo 'example.org/a'; echo 'example.org/b'
/bin/sleep 77.5`;
  await writeFile(join(tools, 'go'), script);
  await chmod(join(tools, 'go'), 0o755);
  const abort = new AbortController();
  const shown: string[] = [];
  const terminal = {
    isTTY: true,
    write: (text: string) => {
      shown.push(text);
      if (text.includes('2 packages')) abort.abort(new Error('asked to stop'));
    },
  };
  const cacheDir = join(scratch, 'building');
  const search = { env: { PATH: tools }, cacheDir, terminal, log: () => undefined, download: fail('no') };
  await expect(findTemporal({ ...search, signal: abort.signal })).rejects.toThrow('asked to stop');
  expect(shown.join('')).toContain('1 modules fetched, 2 packages compiled');
  expect(await contentOf(cacheDir)).toEqual(emptyCache);
});
