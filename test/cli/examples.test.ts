import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestCaller } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

const run = promisify(execFile);

/** The client examples, started as a user starts them. The TypeScript one is compiled by the build. */
const examples: [language: string, command: string, ...first: string[]][] = [
  ['TypeScript', process.execPath, 'dist/examples/report.js'],
  ['Python', 'python3', 'examples/report.py'],
  ['curl', 'bash', 'examples/report.sh'],
];
const tools: Record<string, string> = { Python: 'python3', curl: 'jq' };

let service: TestService;
let caller: TestCaller;

beforeAll(async () => {
  service = await startTestService();
  caller = await service.newCaller(2_000);
});
afterAll(() => service.stop());

describe.each(examples)('the %s example', (language, command, script = '') => {
  const tool = tools[language];
  const isThere = tool === undefined || spawnSync(tool, ['--version']).status === 0;
  const start = (key: string, ...words: string[]) =>
    run(command, [script, ...words], {
      env: { PATH: process.env['PATH'], COUNCIL_BASE_URL: service.url, COUNCIL_API_KEY: key },
    });
  // Skipped by name, so that a machine without the tool shows what it did not run.
  const testIfThere = isThere ? test : test.skip;

  testIfThere(
    `finds, buys, waits and explains${isThere ? '' : ` (skipped: ${tool} is not installed here)`}`,
    async () => {
      const before = await caller.balance();
      const { stdout } = await start(caller.key, 'fed cut', '150');
      expect(stdout).toMatch(/Will the Federal Reserve cut rates/);
      expect(stdout).toMatch(/(BUY_YES|BUY_NO|SKIP) on .*: [\d.]+ %, confidence [\d.]+/);
      expect(stdout).toMatch(/SIMULATED/);
      const spent = Number(/Report \d+, (\d+) credits/.exec(stdout)?.[1]);
      expect(before - (await caller.balance())).toBe(spent);
    },
  );

  testIfThere('spends nothing when the price is higher than allowed, and says both', async () => {
    const other = await service.newCaller(500);
    await expect(start(other.key, 'bitcoin', '10')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/costs \d+ credits; the limit is 10/),
    });
    expect(await other.balance()).toBe(500);
  });

  testIfThere('prints the code and the detail of an error', async () => {
    await expect(start('pc_live_nonsense', 'fed cut')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/unauthenticated: /),
    });
  });
});

test('the curl commands of the README work in their order, unchanged', async () => {
  const buyer = await service.newCaller(500);
  const block =
    /The same with curl[^:]*:\s+```sh\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '';
  const script = block.replace(/^api=.*$/m, `api=${service.url}`);
  expect(script).toContain('/api/reports/check/');
  const { stdout } = await run('bash', ['-euc', script], {
    env: { PATH: process.env['PATH'], COUNCIL_API_KEY: buyer.key },
  });
  expect(stdout).toMatch(/"status":"(pending|processing|completed)"/);
  expect(stdout).toContain('"kind":"charge"');
  expect(stdout).not.toContain('"code"');
});
