import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

/**
 * Stands in for a compiler: copies each source, counts its runs, and like `tsc` writes a lost file only without cache.
 */
const compiler = `
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
if (existsSync('fail')) process.exit(7);
const runs = existsSync('runs') ? Number(readFileSync('runs', 'utf8')) : 0;
writeFileSync('runs', String(runs + 1));
writeFileSync('mode', process.env.NODE_ENV ?? '');
mkdirSync('dist/code', { recursive: true });
const known = existsSync('dist/.cache') ? JSON.parse(readFileSync('dist/.cache', 'utf8')) : {};
for (const name of readdirSync('code')) {
  const text = readFileSync('code/' + name, 'utf8');
  if (known[name] === text) continue;
  copyFileSync('code/' + name, 'dist/code/' + name.replace('.ts', '.js'));
  known[name] = text;
}
writeFileSync('dist/.cache', JSON.stringify(known));
`;

const runner = `
import { runSteps } from ${JSON.stringify(pathToFileURL(resolve('tools/build/build-steps.mjs')).href)};
runSteps(process.cwd(), [
  {
    name: 'code',
    inputs: ['code'],
    outputs: ['dist/code'],
    command: ['node', 'compiler.mjs'],
    cache: 'dist/.cache',
    leavesStale: true,
  },
]);
`;

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'build-steps-'));
  mkdirSync(join(project, 'code'));
  write('compiler.mjs', compiler);
  write('build.mjs', runner);
  write('code/a.ts', 'a');
  write('code/b.ts', 'b');
});
afterEach(() => rmSync(project, { recursive: true }));

describe('the build', () => {
  test('runs a step once while nothing changes', () => {
    expect(build()).toBe(0);
    expect(build()).toBe(0);
    expect(runs()).toBe(1);
    expect(read('dist/code/a.js')).toBe('a');
  });

  test('runs a step again when a source changes, and not when a document does', () => {
    build();
    write('code/README.md', 'what it is');
    build();
    expect(runs()).toBe(1);
    write('code/a.ts', 'new');
    build();
    expect(runs()).toBe(2);
    expect(read('dist/code/a.js')).toBe('new');
  });

  test('removes the output of a deleted source', () => {
    build();
    rmSync(join(project, 'code/b.ts'));
    build();
    expect(existsSync(join(project, 'dist/code/b.js'))).toBe(false);
    expect(read('dist/code/a.js')).toBe('a');
  });

  test('replaces an output that was lost or changed', () => {
    build();
    rmSync(join(project, 'dist/code/a.js'));
    write('dist/code/b.js', 'damaged');
    build();
    expect(read('dist/code/a.js')).toBe('a');
    expect(read('dist/code/b.js')).toBe('b');
  });

  test('is for production, also when a test asks for it', () => {
    build();
    expect([process.env['NODE_ENV'], read('mode')]).toEqual(['test', 'production']);
  });

  test('ends with the exit code of a step that fails, and tries that step again', () => {
    write('fail', '');
    expect(build()).toBe(7);
    rmSync(join(project, 'fail'));
    expect(build()).toBe(0);
    expect(runs()).toBe(1);
  });
});

function build(): number | null {
  return spawnSync(process.execPath, ['build.mjs'], { cwd: project }).status;
}

function runs(): number {
  return Number(read('runs'));
}

function write(path: string, text: string): void {
  writeFileSync(join(project, path), text);
}

function read(path: string): string {
  return readFileSync(join(project, path), 'utf8');
}
