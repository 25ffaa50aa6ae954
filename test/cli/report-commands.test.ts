import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { markEmailVerified, openAccount } from '../../db/accounts/accounts.js';
import { council as runCouncil, startCouncil } from '../support/service/council-command.js';
import { subscribe } from '../support/service/subscribe.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { longDeadlines, startTestService, type TestService } from '../support/service/test-service.js';
import { until } from '../support/until.js';

let service: TestService;
let caller: TestCaller;

beforeAll(async () => {
  service = await startTestService({ stageDeadlinesMs: longDeadlines, researchDeadlineMs: 60_000 });
  caller = await service.newCaller(1_000);
});

afterAll(() => service.stop());
afterEach(() => service.simulator.clearFaults());

const environment = () => ({
  COUNCIL_API_KEY: caller.key,
  COUNCIL_BASE_URL: service.url,
  DATABASE_URL: service.database.url,
});

const council = (args: readonly string[], env: Record<string, string> = {}) =>
  runCouncil(args, { ...environment(), ...env });

describe('council report', () => {
  test('run finds the event, prints the price, shows the progress of each stage and prints the verdict', async () => {
    const stages = ['research', 'opinions', 'synthesis'] as const;
    const holds = stages.map(stage => ({ stage, release: service.simulator.hold({ stage }) }));
    const command = startCouncil(['report', 'run', 'fed cut'], environment());
    let progress = '';
    command.child.stderr.on('data', (chunk: Buffer) => (progress += chunk.toString()));
    for (const { stage, release } of holds) {
      await until(`the stage ${stage} is shown`, () => new RegExp(`${stage} +0 of \\d`).test(progress));
      release();
    }
    const { code, out, err } = await command.ended;
    expect(code).toBe(0);
    expect(err).toContain('Event   Will the Federal Reserve cut rates in March 2031? (sample-fed-cut-2031)');
    expect(err).toMatch(/Price {3}\d+ credits/);
    expect(err).toMatch(/research +0 of 3[\s\S]*opinions +0 of 4[\s\S]*synthesis +0 of 1/);
    expect(out).toContain('SIMULATED');
    expect(out).toMatch(/^- Most likely: \*\*(Yes|No)\*\*, [\d.]+ %/m);
    expect(out).toMatch(/^\| Outcome, % \| council .*\n.*\n\| (Yes|No)( +\| +[\d.]+){3} \|$/m);
    expect(out).toMatch(/^- Estimate: .*act on this number\.$/m);
    expect(out).toMatch(/^- \d+ sources, \d+ searches\. Cited, not verified/m);
    expect(out).toMatch(/^- S1 \S+\.example\.org, (undated|[\d-]{10}): .* <https:\S+> Found by \w+/m);
    for (const member of ['claude', 'gpt', 'gemini', 'grok']) {
      const named = new RegExp(`^### ${member} .*\n(> .*\n|>?\n|- .*\n)*?- .* \\(S\\d`, 'm');
      expect(out).toMatch(named);
    }
    expect(out).toMatch(/ \(own knowledge\)$/m);
    expect(out).toMatch(/^- Weights \S+, SHA-256 [0-9a-f]{64}\.$/m);
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

  test('run bills dollars only within --max-usd, and names the lane, the price and what to do', async () => {
    const subscriber = await service.newCaller(1_000);
    await subscribe(service.database.db, subscriber.accountId);
    const env = { COUNCIL_API_KEY: subscriber.key };
    const run = (...options: string[]) => council(['report', 'run', 'mayor', ...options], env);
    for (const [options, message] of [
      [['--max-credits', '1'], /no --max-usd allows dollars.*--max-usd 3\.00.*--lane credits/s],
      [[], /no --max-usd allows dollars/],
      [['--lane', 'subscription'], /no --max-usd allows dollars/],
      [['--max-usd', '2.99'], /3\.00 USD, more than --max-usd 2\.99/],
      [['--lane', 'credits', '--max-credits', '1'], /costs \d+ credits, more than --max-credits 1/],
      [['--lane', 'credits', '--max-usd', '3'], /no --max-credits allows credits/],
    ] as const) {
      const { code, err } = await run(...options);
      expect([code, err]).toEqual([3, expect.stringMatching(message)]);
      expect(err).toContain('Nothing was bought');
    }
    expect((await subscriber.get('/api/reports')).body.total).toBe(0);
    const { code, out, err } = await run('--max-usd', '3', '--max-credits', '1');
    expect([code, err]).toEqual([0, expect.stringMatching(/Price {3}3\.00 USD, billed to the subscription/)]);
    expect(err).toMatch(/Bought {2}report \d+ for 3\.00 USD, billed to the subscription/);
    expect(out).toMatch(/Charged: 3\.00 USD, billed to the subscription\.$/m);
    expect(await subscriber.balance()).toBe(1_000);
    const again = await run();
    expect(again.err).toMatch(/Owned {3}report \d+: nothing was charged/);
    expect(again.err).not.toMatch(/Bought| 0 credits/);
    expect(again.out).toContain('Charged: nothing: the account owned this report already.');
  });

  test('run says that a failed run on a subscription is not billed, instead of a refund', async () => {
    const subscriber = await service.newCaller(0);
    await subscribe(service.database.db, subscriber.accountId);
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const { code, err } = await council(['report', 'run', 'song contest', '--max-usd', '3'], {
      COUNCIL_API_KEY: subscriber.key,
    });
    expect([code, err]).toEqual([1, expect.stringContaining('Nothing is billed.')]);
    expect(err).not.toContain('refunded');
  });

  test('run says that a failed run was refunded, and exits with 1', async () => {
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    const before = await caller.balance();
    const { code, err } = await council(['report', 'run', 'sample-bitcoin-high-2031']);
    expect(code).toBe(1);
    expect(err).toContain('Your credits were refunded');
    expect(await caller.balance()).toBe(before);
  });

  test.each([
    [['report', 'run', 'nothing like this anywhere'], {}, 'No open event matches'],
    [['report', 'run', 'fed cut'], { COUNCIL_API_KEY: 'pc_live_wrong' }, 'unauthenticated'],
    [['report', 'run', 'fed cut'], { COUNCIL_API_KEY: '' }, 'Set COUNCIL_API_KEY'],
    [['report', 'run', 'fed cut'], { COUNCIL_BASE_URL: 'http://127.0.0.1:1' }, 'cannot be reached'],
    [['report', 'show', '999999'], {}, 'not_found'],
    [['report', 'show', 'one'], {}, 'whole number'],
    [['report', 'run', 'fed cut', '--max-usd', '1.505'], {}, 'dollars'],
    [['report', 'run', 'fed cut', '--lane', 'gift'], {}, 'credits, subscription, byok'],
    [
      ['credits', 'grant', '--email', 'nobody@example.test', '--credits', '5', '--reason', 'x'],
      {},
      'no account',
    ],
    [['credits', 'grant', '--id', 'me', '--credits', '5', '--reason', 'x'], {}, 'no account with the id me'],
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

  test('an address of several accounts leads to their ids, and to the one that has verified it', async () => {
    const email = `${randomUUID()}@example.test`;
    const open = (issuer: string) =>
      openAccount(service.database.db, { issuer, subject: email, email, newId: randomUUID() });
    const [owner, stranger] = [await open('one'), await open('other')];
    const grant = (by: readonly string[]) =>
      council(['credits', 'grant', ...by, '--credits', '5', '--reason', 'x', '--json']);
    const refused = await grant(['--email', email]);
    expect(refused.code).toBe(1);
    for (const { id } of [owner, stranger]) expect(refused.out).toContain(id);
    expect(JSON.parse((await grant(['--id', stranger.id])).out)).toMatchObject({ account_id: stranger.id });
    await markEmailVerified(service.database.db, owner.id, new Date());
    expect(JSON.parse((await grant(['--email', email])).out)).toMatchObject({ account_id: owner.id });
  });
});
