import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findTemporal } from '../../../embedded/temporal/find-temporal.js';
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

const fail = (message: string) => () => Promise.reject(new Error(message));

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
    expect(await readdir(cacheDir)).toEqual([]);
  });

  test('prefers the PATH, but not a CLI that is too old or something else of that name', async () => {
    const good = await fakeBinary(join(scratch, 'good'), GOOD);
    await fakeBinary(join(scratch, 'old'), 'temporal version 1.1.0 (Server 1.25.0, UI 2.3.0)');
    await fakeBinary(join(scratch, 'other'), 'a temporal database');
    const path = (...names: string[]) => ({ PATH: names.map(name => join(scratch, name)).join(':') });
    const rest = {
      cacheDir: join(scratch, 'empty'),
      log: () => undefined,
      download: fail('-'),
      build: fail('-'),
    };
    expect(await findTemporal({ env: path('old', 'other', 'good'), ...rest })).toBe(good);
    await expect(findTemporal({ env: path('old', 'other'), ...rest })).rejects.toThrow(
      /server 1\.25; 1\.28 or newer is required; .*not the Temporal CLI/,
    );
    await expect(findTemporal({ env: { PATH: '.' }, ...rest })).rejects.toThrow('not found');
  });

  test('keeps a downloaded or built CLI only if it works', async () => {
    const cacheHome = join(scratch, 'cache-home');
    const env = { PATH: '', XDG_CACHE_HOME: cacheHome };
    let builds = 0;
    const search = {
      env,
      log: () => undefined,
      download: ({ directory }: { directory: string }) => fakeBinary(directory, 'half a file'),
      build: ({ directory }: { directory: string }) => {
        builds += 1;
        return fakeBinary(directory, GOOD);
      },
    };
    const both = await Promise.all([findTemporal(search), findTemporal(search)]);
    const cached = join(cacheHome, 'council-report-service', 'temporal-cli-v1.5.1', 'temporal');
    expect(both).toEqual([cached, cached]);
    expect(await findTemporal(search)).toBe(cached);
    expect(builds).toBe(2);
    expect(await readdir(join(cacheHome, 'council-report-service'))).toEqual(['temporal-cli-v1.5.1']);
  });

  test('stops when aborted, without trying the next source', async () => {
    const abort = new AbortController();
    const search = findTemporal({
      env: { PATH: '' },
      cacheDir: join(scratch, 'aborted'),
      log: () => undefined,
      signal: abort.signal,
      download: () => {
        abort.abort(new Error('asked to stop'));
        return Promise.reject(new Error('cut short'));
      },
      build: fail('must not be reached'),
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
  expect(await readdir(cacheDir)).toEqual([]);
});
