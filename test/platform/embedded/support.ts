import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll } from '@jest/globals';
import { transformFile } from '@swc/core';
import pg from 'pg';
import { findProcesses } from '../../../platform/embedded/process/processes.js';

/** A directory for one test file, open to any user. Removed at the end, with the processes that use it. */
export async function scratchDirectory(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')));
  await chmod(directory, 0o711);
  afterAll(async () => {
    for (const pid of await processesOn(directory)) process.kill(pid, 'SIGKILL');
    await rm(directory, { recursive: true, force: true, maxRetries: 20 });
  });
  return directory;
}

/** All processes with this directory in their command line. */
export function processesOn(directory: string): Promise<number[]> {
  return findProcesses(line => line.includes(directory));
}

/** Runs statements in one connection of their own. @returns the rows of the last one */
export async function query(url: string, ...statements: string[]): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let rows: any[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Compiles `platform/embedded/` so that a plain process can run it. @returns the folder to import it from */
export async function compileEmbedded(scratch: string): Promise<string> {
  const out = join(scratch, 'compiled');
  await mkdir(out);
  await writeFile(join(out, 'package.json'), '{"type":"module"}');
  await symlink(resolve('node_modules'), join(out, 'node_modules'));
  for (const folder of ['platform/embedded', 'platform/net']) {
    for (const name of await readdir(folder, { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const path = join(folder, name);
      const { code } = await transformFile(path, {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
      });
      await mkdir(join(out, dirname(path)), { recursive: true });
      await writeFile(join(out, path.replace(/\.ts$/, '.js')), code);
    }
  }
  return join(out, 'platform/embedded');
}

/** A process that runs a script next to the compiled files and prints lines. */
export interface Script {
  readonly pid: number;
  /** The first line it prints; rejects with its errors if it ends without one. */
  readonly firstLine: Promise<string>;
  readonly exited: Promise<number | null>;
}

/** Runs a module text in a process (and process group) of its own. */
export function runScript(compiled: string, text: string): Script {
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
    cwd: compiled,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', chunk => {
    errors += String(chunk);
  });
  const exited = new Promise<number | null>(done => child.once('close', code => done(code)));
  const firstLine = new Promise<string>((done, reject) => {
    createInterface({ input: child.stdout }).once('line', done);
    void exited.then(code => reject(new Error(`ended with ${code}: ${errors}`)));
  });
  firstLine.catch(() => undefined);
  return { pid: child.pid ?? 0, firstLine, exited };
}
