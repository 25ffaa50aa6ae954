import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { useTestService } from '../support/use-service.js';
import { ToolUser } from './support/clients.js';

const service = await useTestService();
const caller = await service.newCaller(1_000);

/** The program as a client starts it: lines in, then the end of its input. */
function run(env: Record<string, string>, lines: readonly string[], until = /./) {
  const child = spawn('node', ['dist/mcp/main.js'], { env: { PATH: process.env['PATH'], ...env } });
  const ended = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ended.out += chunk.toString();
    if (until.test(ended.out)) child.stdin.end();
  });
  child.stderr.on('data', (chunk: Buffer) => (ended.err += chunk.toString()));
  child.stdin.on('error', () => undefined);
  for (const line of lines) child.stdin.write(`${line}\n`);
  return new Promise<typeof ended & { code: number | null }>(resolve =>
    child.once('close', code => resolve({ code, ...ended })),
  );
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
});
const pricing = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'get_pricing', arguments: {} },
});

describe('over stdio', () => {
  test('a report is found, priced, bought, awaited with progress, and read', async () => {
    const user = await ToolUser.overStdio({
      COUNCIL_API_KEY: caller.key,
      COUNCIL_BASE_URL: `${service.url}/`,
    });
    const found = await user.call('search_events', { search: 'ridge derby' });
    const [{ event_id }] = found.data.events;
    const check = await user.call('check_report', { event_id });
    const run = await user.call('run_report', { event_id, max_credits: check.data.cost_credits });
    const received: { progress: number; total?: number; message?: string }[] = [];
    const read = await user.call(
      'get_report',
      { report_id: run.data.report_id, wait_seconds: 50 },
      { onprogress: progress => received.push(progress) },
    );
    expect(read.data).toMatchObject({ status: 'completed', event_id, simulated: true });
    expect(received.at(-1)).toEqual({ progress: 4, total: 4, message: 'completed' });
    expect(read.text).toContain('SIMULATED');
    await user.close();
  });

  test('standard output carries the protocol only, and the program ends with its input', async () => {
    const { code, out, err } = await run(
      { COUNCIL_BASE_URL: service.url },
      [initialize, 'what?', pricing],
      /"id":2/,
    );
    const messages = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(messages.map(({ jsonrpc, id }) => ({ jsonrpc, id }))).toEqual([
      { jsonrpc: '2.0', id: 1 },
      { jsonrpc: '2.0', id: 2 },
    ]);
    expect(code).toBe(0);
    expect(err).toContain('COUNCIL_API_KEY is not set');
  });

  test('the newest version of the protocol that the SDK knows is spoken, and the documents name it', async () => {
    const { out } = await run({ COUNCIL_BASE_URL: service.url }, [initialize]);
    expect(JSON.parse(out).result.protocolVersion).toBe(LATEST_PROTOCOL_VERSION);
    expect(readFileSync('mcp/README.md', 'utf8')).toContain(LATEST_PROTOCOL_VERSION);
  });

  test('an unreachable service is reported on standard error, and the tools return unreachable', async () => {
    const { code, out, err } = await run(
      { COUNCIL_BASE_URL: 'http://127.0.0.1:1' },
      [initialize, pricing],
      /"id":2/,
    );
    expect(code).toBe(0);
    expect(err).toContain('cannot be reached at http://127.0.0.1:1');
    expect(out).toContain('"code":"unreachable"');
  });

  test.each([
    [{ COUNCIL_BASE_URL: 'council.example' }, 'COUNCIL_BASE_URL: must be an http or https address'],
    [{ COUNCIL_BASE_URL: 'ftp://council.example' }, 'COUNCIL_BASE_URL: must be an http or https address'],
    [
      { COUNCIL_API_KEY: 'pc_live_ with spaces' },
      'COUNCIL_API_KEY: has characters that API keys do not have',
    ],
  ])('%j is a clear error without the value', async (env, message) => {
    const { code, out, err } = await run(env, [initialize]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('with spaces');
  });

  test('an empty key counts as missing', async () => {
    const user = await ToolUser.overStdio({ COUNCIL_API_KEY: ' ', COUNCIL_BASE_URL: service.url });
    expect((await user.call('check_report', { event_id: 'x' })).data.code).toBe('unauthenticated');
    await user.close();
  });
});

describe('the protocol’s own inspector', () => {
  /** @returns the JSON that it prints */
  async function inspect(target: readonly string[], ...args: readonly string[]): Promise<any> {
    const { stdout } = await promisify(execFile)(
      '../node_modules/.bin/mcp-inspector-cli',
      ['--cli', ...target, '--method', ...args],
      {
        // It looks for a package.json in the folder above the one it is run in, and fails where there is none.
        cwd: 'mcp',
        env: {
          ...process.env,
          NODE_OPTIONS: '',
          COUNCIL_API_KEY: caller.key,
          COUNCIL_BASE_URL: service.url,
        },
        maxBuffer: 10_000_000,
      },
    );
    return JSON.parse(stdout);
  }

  test.each<[transport: string, ...target: string[]]>([
    ['stdio', 'node', '../dist/mcp/main.js'],
    ['http', `${service.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${caller.key}`],
  ])(
    'lists the tools over %s, and calls one with arguments and credential',
    async (_transport, ...target) => {
      const { tools } = await inspect(target, 'tools/list');
      expect(tools).toHaveLength(7);
      for (const tool of tools)
        expect(tool).toMatchObject({ inputSchema: {}, outputSchema: {}, annotations: {} });
      const args = [
        '--tool-name',
        'check_report',
        '--tool-arg',
        'event_id=sample-fed-cut-2031',
        'lane=credits',
      ];
      const { structuredContent: checked } = await inspect(target, 'tools/call', ...args);
      const { fresh_credits } = (await caller.get('/api/credits/pricing')).body;
      const balance_credits = await caller.balance();
      expect(checked).toMatchObject({ lane: 'credits', cost_credits: fresh_credits, balance_credits });
    },
  );
});
