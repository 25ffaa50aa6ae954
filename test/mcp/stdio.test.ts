import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestCaller } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';
import { ToolUser } from './support/clients.js';

let service: TestService;
let caller: TestCaller;

beforeAll(async () => {
  service = await startTestService();
  caller = await service.newCaller(1_000);
});
afterAll(() => service.stop());

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The program as a client starts it: lines in, then the end of its input. */
function run(env: Record<string, string>, lines: readonly string[], until = /./): Promise<Ended> {
  const child = spawn('node', ['dist/mcp/main.js'], { env: { PATH: process.env['PATH'], ...env } });
  const ended = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    ended.out += chunk.toString();
    if (until.test(ended.out)) child.stdin.end();
  });
  child.stderr.on('data', (chunk: Buffer) => (ended.err += chunk.toString()));
  child.stdin.on('error', () => undefined);
  for (const line of lines) child.stdin.write(`${line}\n`);
  return new Promise(resolve => child.once('close', code => resolve({ code, ...ended })));
}

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});
const pricing = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'get_pricing', arguments: {} },
});

describe('over stdio', () => {
  test('a report is found, priced, bought, awaited and read', async () => {
    const user = await ToolUser.overStdio({
      COUNCIL_API_KEY: caller.key,
      COUNCIL_BASE_URL: `${service.url}/`,
    });
    const found = await user.call('search_events', { search: 'ridge derby' });
    const [{ event_id }] = found.data.events;
    const check = await user.call('check_report', { event_id });
    const run = await user.call('run_report', { event_id, max_credits: check.data.cost_credits });
    const read = await user.call('get_report', { report_id: run.data.report_id, wait_seconds: 50 });
    expect(read.data).toMatchObject({ status: 'completed', event_id, simulated: true });
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
