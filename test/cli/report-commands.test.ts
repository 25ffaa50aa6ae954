import { randomUUID } from 'node:crypto';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { markEmailVerified, openAccount } from '../../db/accounts/accounts.js';
import { startSmtpInbox } from '../support/mail/smtp-inbox.js';
import { council as runCouncil, startCouncil } from '../support/service/council-command.js';
import { subscribe } from '../support/service/subscribe.js';
import { longDeadlines } from '../support/service/test-service.js';
import { until } from '../support/until.js';
import { useTestService } from '../support/use-service.js';

const service = await useTestService({ stageDeadlinesMs: longDeadlines, researchDeadlineMs: 60_000 });
const caller = await service.newCaller(1_000);
const ansi = '\u001B[';

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
    expect(err).toContain(
      'Event   Will the Federal Reserve cut rates in March 2031? (sample-fed-cut-2031) on sample',
    );
    expect(err).toMatch(/Price {3}\d+ credits/);
    expect(err).toMatch(/research +0 of 3[\s\S]*opinions +0 of 4[\s\S]*synthesis +0 of 1/);
    expect(out).toContain('SIMULATED');
    expect(out).toMatch(
      /^- Most likely: \*\*(Yes|No)\*\*\. Estimate [\d.]+ % \(council, without seeing a price: [\d.]+; market: /m,
    );
    expect(out).toMatch(/^\| Outcome, % \| estimate .*\n.*\n\| (Yes|No)( +\| +[\d.]+){3} \|$/m);
    expect(out).toMatch(/^- Estimate: .*act on this number\.$/m);
    expect(out).toMatch(/^- “Yes”: outside view [\d.]+ % \(claude .*\) → council .* → estimate [\d.]+ %\.$/m);
    expect(out).toMatch(/^- (More|Less) likely if by [\d-]{10}: .* \(claude [\d.]+ %/m);
    expect(out).toMatch(/^- \d+ sources, \d+ searches\. Cited, not verified/m);
    expect(out).toMatch(/^- S1 \S+\.example\.org, (undated|[\d-]{10}): .* <https:\S+> Found by \w+/m);
    for (const member of ['claude', 'gpt', 'gemini', 'grok']) {
      const named = new RegExp(`^### ${member} .*\n(> .*\n|>?\n|- .*\n)*?- .* \\(S\\d`, 'm');
      expect(out).toMatch(named);
    }
    expect(out).toMatch(/ \(own knowledge\)$/m);
    expect(out).toMatch(/^- Weights \S+, SHA-256 [0-9a-f]{64}\.$/m);
    expect(out).toMatch(/Charged: \d+ credits\.$/m);
    const id = /^# Report (\d+): /m.exec(out)?.[1] ?? '';
    expect(err).toContain(`npm run council -- report show ${id}`);
    expect(err).toContain(`${service.url}/reports/${id}`);
    const json = await council(['report', 'show', id, '--json']);
    expect([JSON.parse(json.out).id, json.err]).toEqual([Number(id), '']);
  });

  test('run prints one JSON document with every field of the report, and nothing else, with --json', async () => {
    const { code, out } = await council(['--json', 'report', 'run', 'sample-fed-cut-2031']);
    expect(code).toBe(0);
    const printed = JSON.parse(out);
    expect(printed).toMatchObject({ receipt: { credits_spent: 0 }, report: { status: 'completed' } });
    const read = await caller.get(`/api/reports/${printed.report.id}`);
    expect(printed.report).toEqual(read.body);
  });

  test('run buys nothing above --max-credits or the balance, exits with 3, and says what to do', async () => {
    const run = ['report', 'run', 'sample-bitcoin-high-2031'];
    const before = await caller.balance();
    const { code, err } = await council([...run, '--max-credits', '10']);
    expect(code).toBe(3);
    expect(err).toContain('Nothing was bought');
    expect(err).toMatch(/--max-credits \d\d+,/);
    expect(await caller.balance()).toBe(before);
    const env = { COUNCIL_API_KEY: (await service.newCaller(0)).key };
    const poor = await council(run, env);
    expect(poor.code).toBe(3);
    expect(poor.err).toContain('insufficient_credits');
    expect(poor.err).toContain('credits grant');
    const json = await council([...run, '--json'], env);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.out).error).toMatchObject({ code: 'insufficient_credits', balance_credits: 0 });
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

  test('run names a report that it bought but could not follow', async () => {
    const proxy = await brokenProxy();
    const { code, err } = await council(['report', 'run', 'sample-ridge-derby-2031'], {
      COUNCIL_BASE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    });
    proxy.close();
    expect(code).toBe(1);
    const id = /Bought {2}report (\d+)/.exec(err)?.[1] ?? 'none';
    expect(err).toContain(`Report ${id} is bought, but this command lost track of it`);
    expect(err).toContain(`report show ${id}`);
  });

  test.each([
    ['no key', { COUNCIL_API_KEY: '' }, 'Set COUNCIL_API_KEY', 'export COUNCIL_API_KEY='],
    ['a rejected key', { COUNCIL_API_KEY: 'pc_live_wrong' }, 'unauthenticated', 'keys mint --email'],
    ['no service', { COUNCIL_BASE_URL: 'http://127.0.0.1:1' }, 'cannot be reached', '`npm start`'],
  ])('with %s, says what is wrong and what to do', async (_what, env, message, next) => {
    for (const command of [
      ['report', 'show', '1'],
      ['report', 'run', 'fed cut'],
    ]) {
      const { code, err } = await council(command, env);
      expect(code).toBe(1);
      expect(err).toContain(message);
      expect(err).toContain(next);
    }
    const { error } = JSON.parse((await council(['report', 'show', '1', '--json'], env)).out);
    expect(error.next).toContain(next);
  });
});

const grant = (...by: readonly string[]) =>
  council(['credits', 'grant', ...by, '--credits', '25', '--reason', 'x', '--json']);

describe('the command line, with a service', () => {
  test.each([
    [['report', 'run', 'nothing like this anywhere'], 'No open event matches'],
    [['report', 'run', 'fed cut', '--venue', 'kalshi'], 'this service reads only sample'],
    [['report', 'show', '999999'], 'not_found'],
    [['credits', 'grant', '--email', 'nobody@example.test', '--credits', '5', '--reason', 'x'], 'no account'],
    [['credits', 'grant', '--id', 'me', '--credits', '5', '--reason', 'x'], 'no account with the id me'],
  ])('%j names what does not exist', async (args, message) => {
    const { code, err } = await council(args);
    expect(code).not.toBe(0);
    expect(err).toContain(message);
  });

  test('credits grant works on the database; keys mint prints the key alone, and advice on standard error', async () => {
    const granted = JSON.parse((await grant('--email', caller.email)).out);
    expect(granted).toMatchObject({ granted_credits: 25, balance_credits: await caller.balance() });
    const { code, out, err } = await council(['keys', 'mint', '--email', caller.email, '--name', 'second']);
    expect(code).toBe(0);
    expect(out).toMatch(/^pc_live_\w+\n$/);
    expect(err).toContain(`export COUNCIL_API_KEY=${out.trim()}`);
    const minted = await council(['keys', 'mint', '--email', caller.email, '--name', 'third', '--json']);
    for (const key of [out.trim(), JSON.parse(minted.out).key]) {
      const answer = await caller.get('/api/credits/balance', {
        as: 'nobody',
        headers: { 'x-api-key': key },
      });
      expect(answer.status).toBe(200);
    }
  });

  test('the owner gets a mail about a key that an operator mints', async () => {
    const inbox = await startSmtpInbox();
    const { email, accountId } = await service.newCaller();
    const mint = () =>
      council(['keys', 'mint', '--email', email, '--name', 'made', '--json'], {
        SMTP_URL: inbox.url,
        MAIL_FROM: 'council@example.test',
        PUBLIC_URL: 'https://council.example.test',
      });
    // Another's address would learn of a stranger's account.
    expect((await mint()).code).toBe(0);
    await markEmailVerified(service.database.db, accountId, new Date());
    const { key } = JSON.parse((await mint()).out);
    const mail = await inbox.next(email);
    expect(mail.subject).toBe('An API key was created');
    expect(mail.text).toContain(key.slice(0, 12));
    expect(mail.link).toBe('https://council.example.test/keys');
    expect(inbox.mails).toHaveLength(1);
    await inbox.close();
  });

  test('keys are minted with limits, listed with them, and revoked', async () => {
    const { email } = await service.newCaller();
    const keys = (...args: string[]) => council(['keys', ...args, '--email', email, '--json']);
    const limits = ['--scope', 'read', '--expires-at', '2030-03-05', '--max-credits-per-day', '300'];
    const minted = JSON.parse((await keys('mint', '--name', 'limited', ...limits)).out);
    const shown = { scope: 'read', expires_at: '2030-03-05T00:00:00.000Z', max_credits_per_day: 300 };
    expect(minted).toMatchObject(shown);
    const [newest] = JSON.parse((await keys('list')).out).keys;
    expect(newest).toMatchObject({ id: minted.id, name: 'limited', ...shown, last_used_from: null });
    expect((await keys('revoke', '--key', minted.id)).code).toBe(0);
    expect((await keys('revoke', '--key', minted.id)).code).toBe(1);
    expect(JSON.parse((await keys('list')).out).keys).toHaveLength(1);
    expect((await keys('mint', '--name', 'late', '--expires-at', '2020-01-01')).code).toBe(2);
  });

  test('prints colours only when they are requested, and never in JSON', async () => {
    const check = (env: Record<string, string>, ...args: string[]) =>
      startCouncil(['ledger', 'check', ...args], { DATABASE_URL: service.database.url, ...env }).ended;
    expect((await check({})).out).not.toContain(ansi);
    expect((await check({ FORCE_COLOR: '1' })).out).toContain(`${ansi}32mThe books balance.`);
    expect((await check({ FORCE_COLOR: '0' })).out).not.toContain(ansi);
    expect((await check({ NO_COLOR: '1' })).out).not.toContain(ansi);
    expect((await check({ FORCE_COLOR: '1' }, '--json')).out).not.toContain(ansi);
    const broken = await startCouncil(['report', 'show', '1'], { COUNCIL_API_KEY: '', FORCE_COLOR: '1' })
      .ended;
    expect(broken.err).toContain(`${ansi}31mSet COUNCIL_API_KEY`);
  });

  test('an address of several accounts leads to their ids, and to the one that has verified it', async () => {
    const email = `${randomUUID()}@example.test`;
    const open = (issuer: string) =>
      openAccount(service.database.db, { issuer, subject: email, email, newId: randomUUID() });
    const [owner, stranger] = [await open('one'), await open('other')];
    const refused = await grant('--email', email);
    expect(refused.code).toBe(1);
    for (const { id } of [owner, stranger]) expect(refused.out).toContain(id);
    expect(JSON.parse((await grant('--id', stranger.id)).out)).toMatchObject({ account_id: stranger.id });
    await markEmailVerified(service.database.db, owner.id, new Date());
    expect(JSON.parse((await grant('--email', email)).out)).toMatchObject({ account_id: owner.id });
  });
});

/** A proxy that forwards everything, but closes the connection when a report is read. */
async function brokenProxy() {
  const proxy = createServer((incoming, outgoing) => {
    if (/^\/api\/reports\/\d+$/.test(incoming.url ?? '')) return void incoming.socket.destroy();
    const { method = 'GET', headers } = incoming;
    const passed = forward(new URL(incoming.url ?? '/', service.url), { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
