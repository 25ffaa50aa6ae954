import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { findTemporal } from '../../../../platform/embedded/temporal/find-temporal.js';
import {
  type EmbeddedTemporal,
  startTemporal,
} from '../../../../platform/embedded/temporal/start-temporal.js';
import { choosePort } from '../../../../platform/net/free-port.js';
import { processesOn, scratchDirectory } from '../support.js';

const scratch = await scratchDirectory();
const lines: string[] = [];
const log = (line: string) => void lines.push(line);
const binary = await findTemporal({ env: process.env, log });

async function start(
  home: string,
  ports: { port?: number; uiPort?: number } = {},
): Promise<EmbeddedTemporal> {
  await mkdir(home, { recursive: true });
  const flags = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'];
  return startTemporal({ binary, home, namespace: 'council', port: 0, uiPort: 0, flags, log, ...ports });
}

/** Starts a script in place of the server. */
async function startWrapped(home: string, script: string, namespace = 'council'): Promise<EmbeddedTemporal> {
  await mkdir(home);
  const wrapper = join(home, 'temporal');
  await writeFile(wrapper, script);
  await chmod(wrapper, 0o755);
  return startTemporal({ binary: wrapper, home, namespace, port: 0, uiPort: 0, flags: [], log });
}

async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await use(new Client({ connection, namespace: 'council' }));
  } finally {
    await connection.close();
  }
}

describe('embedded Temporal', () => {
  test('takes other ports when its own are taken, keeps its data, and stops an orphan first', async () => {
    const home = join(scratch, 'plain');
    const taken = createServer().listen(await choosePort(0), '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const first = await start(home, { port, uiPort: port });
    expect(first.address).not.toBe(`127.0.0.1:${port}`);
    for (const url of [`http://${first.address}`, first.uiUrl])
      await expect(listensOn('127.0.0.2', url)).resolves.toBe(false);
    expect((await fetch(first.uiUrl)).status).toBe(200);
    await withClient(first.address, client =>
      client.workflow.start('kept', { workflowId: 'kept', taskQueue: 'nobody' }),
    );
    const second = await start(home);
    expect(lines).toContain(`Temporal: stopping process ${first.pid}, left over from a run that was killed`);
    const { status } = await withClient(second.address, client =>
      client.workflow.getHandle('kept').describe(),
    );
    expect(status.name).toBe('RUNNING');
    await Promise.all([second.stop(), second.stop()]);
    expect(await processesOn(home)).toEqual([]);
    taken.close();
  });

  test('starts over when the first start was killed before the schema was complete', async () => {
    const home = join(scratch, 'interrupted');
    await mkdir(home);
    await writeFile(join(home, 'temporal.db'), '');
    await (await start(home)).stop();
    expect(await readFile(join(home, 'temporal.db.incomplete'), 'utf8')).toBe('');
  });

  test('takes other ports when the server panics because one was taken before it listened', async () => {
    const server = await startWrapped(join(scratch, 'port-taken'), portTakenOnce(binary));
    expect((await fetch(server.uiUrl)).status).toBe(200);
    await server.stop();
  });

  test('is never the server of another program that took the port first', async () => {
    const home = join(scratch, 'port-lost');
    const server = await startWrapped(home, portLostOnce(binary), 'default');
    const other = JSON.parse(await readFile(join(home, 'other'), 'utf8'));
    expect(server.address).not.toBe(`127.0.0.1:${other.port}`);
    await server.stop();
    process.kill(other.pid);
  });

  test('fails at once, with the output of the server, when the server ends', async () => {
    const home = join(scratch, 'bad-flag');
    await mkdir(home);
    const options = { binary, home, namespace: 'council', port: 0, uiPort: 0, log };
    await expect(startTemporal({ ...options, flags: ['--no-such-flag'] })).rejects.toThrow(
      /Temporal ended with exit code 1[^]*unknown flag: --no-such-flag/,
    );
  });
});

/** Whether the port of the address answers at another address of this machine. */
async function listensOn(host: string, url: string): Promise<boolean> {
  const socket = connect({ host, port: Number(new URL(url).port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * At its first start, another program has the port: this one ends when it is first asked whether it is ready, and the
 * other one, a proxy to the shared server, answers.
 */
function portLostOnce(real: string): string {
  const { hostname, port } = new URL(`tcp://${process.env['TEST_TEMPORAL_ADDRESS']}`);
  const isGone = 'try { process.kill(ours, 0); return false } catch { return true }';
  const proxy = `
    const { connect, createServer } = require('node:net');
    const [port, ours] = process.argv.slice(1).map(Number);
    const isGone = () => { ${isGone} };
    createServer({ pauseOnConnect: true }, near => {
      if (!isGone()) process.kill(ours);
      const open = () => isGone() ? near.pipe(connect(${port}, '${hostname}').on('error', () => 0)).pipe(near) : setImmediate(open);
      near.on('error', () => 0);
      open();
    }).listen(port, '127.0.0.1');`;
  return `#!/bin/bash
if mkdir "$PWD/tried" 2>/dev/null; then
while [ "$1" != --port ]; do shift; done
echo 'level=ERROR msg="listen tcp 127.0.0.1: bind: address already in use"' >&2
'${process.execPath}' -e "${proxy.replaceAll('\n', ' ')}" "$2" $$ >/dev/null 2>&1 &
printf '{"pid": %s, "port": %s}' "$!" "$2" >other
wait
fi
exec '${real}' "$@"
`;
}

/** A server whose port is taken at its first start: it logs this, continues, and panics, as 1.5.1 does. */
function portTakenOnce(real: string): string {
  const frames = Array.from(
    { length: 50 },
    (_, at) => `go.uber.org/dig.call(0x${at})\n\t/src/dig/container.go:${at} +0x25`,
  );
  return `#!/bin/sh
if mkdir "$PWD/tried" 2>/dev/null; then
cat >&2 <<'END'
level=ERROR msg="Failed to start gRPC listener" error="listen tcp 127.0.0.1:7233: bind: address already in use"
panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x20 pc=0x25f2689]

goroutine 1 [running]:
${frames.join('\n')}
END
exit 2
fi
exec '${real}' "$@"
`;
}
