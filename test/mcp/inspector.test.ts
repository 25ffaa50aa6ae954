import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestCaller } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

const execute = promisify(execFile);
let service: TestService;
let caller: TestCaller;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  caller = await service.newCaller(1_000);
});
afterAll(() => service.stop());

/** The protocol's own inspector, on the command line. @returns the JSON that it prints */
async function inspect(transport: 'http' | 'stdio', args: readonly string[]): Promise<any> {
  const target =
    transport === 'http'
      ? [`${service.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${caller.key}`]
      : ['node', '../dist/mcp/main.js'];
  const { stdout } = await execute('npx', ['mcp-inspector-cli', '--cli', ...target, ...args], {
    // It looks for a package.json in the folder above the one it is run in, and fails where there is none.
    cwd: 'mcp',
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      COUNCIL_API_KEY: caller.key,
      COUNCIL_BASE_URL: service.url,
    },
    maxBuffer: 10_000_000,
  });
  return JSON.parse(stdout);
}

describe.each(['http', 'stdio'] as const)('the inspector over %s', transport => {
  test('lists the seven tools', async () => {
    const { tools } = await inspect(transport, ['--method', 'tools/list']);
    expect(tools).toHaveLength(7);
    for (const tool of tools)
      expect(tool).toMatchObject({ inputSchema: {}, outputSchema: {}, annotations: {} });
  });

  test('calls a tool with arguments and credential', async () => {
    const answer = await inspect(transport, [
      '--method',
      'tools/call',
      '--tool-name',
      'check_report',
      '--tool-arg',
      'event_id=sample-fed-cut-2031',
      'lane=credits',
    ]);
    expect(answer.structuredContent).toMatchObject({ balance_credits: 1_000, cost_credits: 120 });
  });
});
