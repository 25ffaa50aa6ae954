import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { council as runCouncil } from '../support/service/council-command.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

let service: TestService;
let caller: TestCaller;

beforeAll(async () => {
  service = await startTestService();
  caller = await service.newCaller(1_000);
});

afterAll(() => service.stop());
afterEach(() => service.simulator.clearFaults());

const council = (args: readonly string[], env: Record<string, string> = {}) =>
  runCouncil(args, {
    COUNCIL_API_KEY: caller.key,
    COUNCIL_BASE_URL: service.url,
    DATABASE_URL: service.database.url,
    ...env,
  });

describe('council report', () => {
  test('run finds the event, prints the price, shows the progress of each stage and prints the verdict', async () => {
    service.simulator.setFault({}, { kind: 'latency', ms: 2_500 });
    const { code, out, err } = await council(['report', 'run', 'fed cut']);
    expect(code).toBe(0);
    expect(err).toContain('Event   Will the Federal Reserve cut rates in March 2031? (sample-fed-cut-2031)');
    expect(err).toMatch(/Price {3}\d+ credits/);
    expect(err).toMatch(/opinions +\d of 4/);
    expect(err).toMatch(/synthesis +0 of 1/);
    expect(out).toContain('SIMULATED');
    expect(out).toMatch(/Most likely +(Yes|No), [\d.]+ %/);
    expect(out).toMatch(/Charged: \d+ credits\.$/m);
  });

  test('run prints one JSON document with every field of the report, and nothing else, with --json', async () => {
    const { code, out } = await council(['--json', 'report', 'run', 'sample-fed-cut-2031']);
    expect(code).toBe(0);
    const printed = JSON.parse(out);
    expect(printed).toMatchObject({ receipt: { credits_spent: 0 }, report: { status: 'completed' } });
    const read = await caller.get(`/api/reports/${printed.report.id}`);
    expect(printed.report).toEqual(read.body);
  });

  test('run buys nothing above --max-credits', async () => {
    const before = await caller.balance();
    const { code, err } = await council(['report', 'run', 'sample-bitcoin-high-2031', '--max-credits', '10']);
    expect(code).toBe(3);
    expect(err).toContain('Nothing was bought');
    expect(await caller.balance()).toBe(before);
  });

  test('run says that a failed run was refunded, and exits with 1', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const before = await caller.balance();
    const { code, err } = await council(['report', 'run', 'sample-bitcoin-high-2031']);
    expect(code).toBe(1);
    expect(err).toContain('Your credits were given back');
    expect(await caller.balance()).toBe(before);
  });

  test.each([
    [['report', 'run', 'nothing like this anywhere'], {}, 'No open event matches'],
    [['report', 'run', 'fed cut'], { COUNCIL_API_KEY: 'pc_live_wrong' }, 'unauthenticated'],
    [['report', 'run', 'fed cut'], { COUNCIL_API_KEY: '' }, 'Set COUNCIL_API_KEY'],
    [['report', 'run', 'fed cut'], { COUNCIL_BASE_URL: 'http://127.0.0.1:1' }, 'cannot be reached'],
    [['report', 'show', '999999'], {}, 'not_found'],
    [['report', 'show', 'one'], {}, 'whole number'],
    [
      ['credits', 'grant', '--email', 'nobody@example.test', '--credits', '5', '--reason', 'x'],
      {},
      'no account',
    ],
    [['credits', 'grant', '--email', 'a@b.c', '--credits', '-5', '--reason', 'x'], {}, 'whole number'],
  ] as const)('%j fails with what to do about it', async (args, env, message) => {
    const { code, err } = await council([...args], env);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
  });

  test('credits grant and keys mint work on the database, and the ledger records the reason', async () => {
    const granted = await council([
      'credits',
      'grant',
      '--email',
      caller.email,
      '--credits',
      '25',
      '--reason',
      'sorry',
      '--json',
    ]);
    expect(JSON.parse(granted.out)).toMatchObject({
      granted_credits: 25,
      balance_credits: await caller.balance(),
    });
    const minted = await council(['keys', 'mint', '--email', caller.email, '--name', 'second', '--json']);
    const { key } = JSON.parse(minted.out);
    const answer = await caller.get('/api/credits/balance', { as: 'nobody', headers: { 'x-api-key': key } });
    expect(answer.status).toBe(200);
  });
});
