import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  startPostgres,
} from '../../../../platform/embedded/postgres/start-postgres.js';
import { waitUntil } from '../../../../platform/embedded/process/processes.js';
import { choosePort } from '../../../../platform/net/free-port.js';
import { compileEmbedded, processesOn, query, runScript, scratchDirectory } from '../support.js';

const scratch = await scratchDirectory();
const isRoot = process.getuid?.() === 0;
const asRoot = isRoot ? test : test.skip;

async function start(name: string, port = 0): Promise<EmbeddedPostgres & { lines: string[]; home: string }> {
  const home = join(scratch, name);
  await mkdir(home, { recursive: true });
  const lines: string[] = [];
  const elsewhere = join(scratch, 'elsewhere');
  return { ...(await startPostgres({ home, port, elsewhere, log: line => lines.push(line) })), lines, home };
}

describe('embedded PostgreSQL', () => {
  test('keeps its data between starts, stops cleanly, and is safe by default', async () => {
    const first = await start('plain');
    const owner = `SELECT current_database() AS database, rolname, rolsuper FROM pg_roles WHERE rolname = current_user`;
    expect(await query(first.ownerUrl, owner)).toEqual([
      { database: 'council', rolname: 'council', rolsuper: false },
    ]);
    for (const setting of [
      { fsync: 'on' },
      { listen_addresses: '127.0.0.1' },
      { max_connections: '100' },
      { server_encoding: 'UTF8' },
    ]) {
      expect(await query(first.ownerUrl, `SHOW ${Object.keys(setting).join()}`)).toEqual([setting]);
    }
    const wrong = new URL(first.url);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS n');
    const lingering = new pg.Client({ connectionString: first.ownerUrl });
    lingering.on('error', () => undefined);
    await lingering.connect();
    await Promise.all([first.stop(), first.stop()]);
    expect(await first.exited).toBe('PostgreSQL ended with exit code 0');
    expect(await processesOn(first.home)).toEqual([]);
    expect((await stat(join(first.home, 'postgres.json'))).mode & 0o777).toBe(0o600);

    const second = await start('plain');
    expect(second.lines.join('\n')).not.toContain('first start');
    expect(await query(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
    await second.stop();
  });

  test('takes another port while its own is taken, and starts although another process has its former pid', async () => {
    const port = await choosePort(0);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const postgres = await start('plain', port);
    expect(new URL(postgres.url).port).not.toBe(String(port));
    await postgres.stop();
    server.close();
    const data = join(postgres.home, 'postgres', 'data');
    const { uid, gid } = await stat(data);
    const otherProcess = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) });
    await once(otherProcess, 'spawn');
    await writeFile(join(data, 'postmaster.pid'), `${otherProcess.pid}\n${data}\n1\n5432\n\n127.0.0.1\n`);
    const again = await start('plain', port);
    expect(new URL(again.url).port).toBe(String(port));
    await again.stop();
    expect(otherProcess.exitCode).toBeNull();
    otherProcess.kill();
  });

  test('stops an orphan first, and copes with a hard kill of the server', async () => {
    const orphan = await start('orphan');
    await query(orphan.ownerUrl, 'CREATE TABLE kept AS SELECT 43 AS n');
    const second = await start('orphan');
    expect(second.lines.join('\n')).toContain(`stopping process ${orphan.pid}`);
    expect(await orphan.exited).toBe('PostgreSQL ended with exit code 0');
    // A backend in the middle of a calculation outlives its server for a moment.
    const busy = query(second.ownerUrl, 'SELECT sum(n) FROM generate_series(1, 8000000) n').catch(
      () => undefined,
    );
    const calculating = async () => {
      const active = await query(
        second.ownerUrl,
        `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT sum(n)%'`,
      );
      return active[0];
    };
    expect(await waitUntil(calculating, { timeoutMs: 10_000 })).toBeDefined();
    process.kill(second.pid, 'SIGKILL');
    expect(await second.exited).toBe('PostgreSQL ended by SIGKILL');
    const third = await start('orphan');
    expect(await query(third.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 43 }]);
    await third.stop();
    await busy;
  });

  test('starts over when the first start was killed halfway', async () => {
    const home = join(scratch, 'interrupted');
    await mkdir(home);
    const compiled = await compileEmbedded(scratch);
    const options = `{ home: ${JSON.stringify(home)}, port: 0, log: () => {} }`;
    const parent = runScript(
      compiled,
      `const { startPostgres } = await import('./postgres/start-postgres.js'); await startPostgres(${options});`,
    );
    const started = async () =>
      (await readdir(join(home, 'postgres')).catch(() => [])).some(name =>
        name.startsWith('initialising-'),
      ) || undefined;
    expect(await waitUntil(started, { timeoutMs: 20_000, intervalMs: 5 })).toBe(true);
    process.kill(parent.pid, 'SIGKILL');
    await parent.exited;
    const postgres = await start('interrupted');
    expect(await query(postgres.url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    await postgres.stop();
    await (await start('interrupted')).stop();
    expect(await readdir(join(home, 'postgres'))).toEqual(['data']);
  });

  test('never silently replaces missing data, and says why it cannot start', async () => {
    const first = await start('lost');
    await first.stop();
    const data = join(first.home, 'postgres', 'data');
    await writeFile(join(data, 'postgresql.conf'), 'no such setting = 1\n');
    await expect(start('lost')).rejects.toThrow(/PostgreSQL ended with exit code 1[^]*syntax error/);
    await rm(data, { recursive: true });
    await expect(start('lost')).rejects.toThrow('is gone');
    await writeFile(join(first.home, 'postgres.json'), '{');
    await expect(start('lost')).rejects.toThrow('postgres.json is damaged');
  });

  test('stops when aborted, and leaves nothing running', async () => {
    const home = join(scratch, 'aborted');
    await mkdir(home);
    const abort = new AbortController();
    const log = () => abort.abort(new Error('asked to stop'));
    await expect(startPostgres({ home, port: 0, log, signal: abort.signal })).rejects.toThrow(
      'asked to stop',
    );
    expect(await processesOn(home)).toEqual([]);
  });

  asRoot('stores data and programs elsewhere when its user cannot access the home', async () => {
    await mkdir(join(scratch, 'private'));
    await chmod(join(scratch, 'private'), 0o700);
    const first = await start('private/home');
    expect(first.lines.join('\n')).toContain(`cannot access ${first.home}`);
    const record = await readFile(join(first.home, 'postgres.json'), 'utf8');
    expect(record).toContain(join(scratch, 'elsewhere', 'postgres-'));
    await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 44 AS n');
    await first.stop();
    const second = await start('private/home');
    expect(await query(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 44 }]);
    await second.stop();
  });
});
