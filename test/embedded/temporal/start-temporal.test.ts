import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { findTemporal } from '../../../embedded/temporal/find-temporal.js';
import { type EmbeddedTemporal, startTemporal } from '../../../embedded/temporal/start-temporal.js';
import { choosePort } from '../../../net/free-port.js';
import { processesOn, scratchDirectory } from '../support.js';

const scratch = await scratchDirectory();
const lines: string[] = [];
const log = (line: string) => void lines.push(line);
let binary: string;

beforeAll(async () => {
  binary = await findTemporal({ env: process.env, log });
}, 900_000);

async function start(
  home: string,
  ports: { port?: number; uiPort?: number } = {},
): Promise<EmbeddedTemporal> {
  await mkdir(home, { recursive: true });
  const flags = ['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'];
  return startTemporal({ binary, home, namespace: 'council', port: 0, uiPort: 0, flags, log, ...ports });
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
    const home = join(scratch, 'port-taken');
    await mkdir(home);
    const wrapper = join(home, 'temporal');
    await writeFile(wrapper, portTakenOnce(binary));
    await chmod(wrapper, 0o755);
    const options = { namespace: 'council', port: 0, uiPort: 0, flags: [], log };
    const server = await startTemporal({ ...options, binary: wrapper, home });
    expect((await fetch(server.uiUrl)).status).toBe(200);
    await server.stop();
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
