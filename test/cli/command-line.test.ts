import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { choosePort } from '../../platform/net/free-port.js';
import { openProviders } from '../../providers/open-providers.js';
import { shippedCatalogue } from '../providers/catalogue.js';
import { question } from '../providers/questions.js';
import { council, startCouncil } from '../support/service/council-command.js';
import type { TestCaller } from '../support/service/test-caller.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));

/** All commands. */
const verbs = [
  'report run',
  'report show',
  'regrade',
  'evaluate',
  'weights fit',
  'weights list',
  'weights show',
  'weights activate',
  'accounts show',
  'accounts suspend',
  'accounts restore',
  'accounts verify',
  'spend',
  'credits grant',
  'keys mint',
  'provider-keys rotate',
  'ledger check',
  'quote explain',
  'usage send',
  'usage settle',
  'usage void',
  'payments settle',
  'record verify',
  'temporal apply',
  'simulator',
  'doctor',
];

/** The commands that a help lists. */
async function commandsIn(...group: string[]): Promise<string[]> {
  const { out } = await council([...group, '--help'], {});
  const [, list = ''] = out.split('\nCommands:\n');
  const [block = ''] = list.split('\n\n');
  return [...block.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name]) => name ?? '')
    .filter(name => name !== 'help');
}

const ansi = '\u001B[';

describe('the command line', () => {
  test('has exactly these commands, each with a description and an example to copy', async () => {
    const groups = [
      ...new Set(verbs.filter(verb => verb.includes(' ')).map(verb => verb.split(' ')[0] ?? '')),
    ];
    const listed = [
      ...(await commandsIn()).filter(name => !groups.includes(name)),
      ...(
        await Promise.all(
          groups.map(async group => (await commandsIn(group)).map(name => `${group} ${name}`)),
        )
      ).flat(),
    ];
    expect(listed.toSorted()).toEqual(verbs.toSorted());
    const helps = await Promise.all(verbs.map(verb => council([...verb.split(' '), '--help'], {})));
    for (const [index, { code, out: help }] of helps.entries()) {
      const verb = verbs[index] ?? '';
      expect(code).toBe(0);
      expect(help).toContain(`Usage: council ${verb}`);
      expect(help).toMatch(/^[A-Z][^]{40,}?\.\n\n/m);
      expect(help).toContain('--json');
      expect(help).toMatch(new RegExp(`Examples?:\n  npm run council -- ${verb}`));
    }
  });

  test('documents its exit codes, and prints its version', async () => {
    const { code, out } = await council(['--help'], {});
    expect(code).toBe(0);
    expect(out).toMatch(/Exit codes:\n {2}0 .+\n {2}1 .+\n {2}2 .+\n {2}3 .+/);
    expect((await council(['--version'], {})).out).toBe(`${version}\n`);
  });

  test.each([
    [[], 'Usage: council'],
    [['report'], 'Usage: council report'],
    [['nonsense'], "unknown command 'nonsense'"],
    [['temporal', 'aply'], 'Did you mean apply?'],
    [['report', 'run'], "missing required argument 'search or event id'"],
    [['report', 'run', 'x', '--max-credits', '-1'], 'whole number'],
    [['keys', 'mint', '--name', 'x'], 'by --email or by --id'],
    [['keys', 'mint', '--email', 'a@b.c', '--id', 'me', '--name', 'x'], 'not by both'],
    [['keys', 'mint', '--email', 'a@b.c'], "required option '--name <text>' not specified"],
    [['regrade', '--since', 'yesterday'], '--since: yesterday is not a date'],
  ])('%j is invalid: it does nothing, says so and exits with 2', async (args, message) => {
    const { code, out, err } = await council(args, {});
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  test('simulator: serves the vendors until it is asked to end, and prints its address', async () => {
    const { child, ended } = startCouncil(['simulator', '--port', String(await choosePort(0)), '--json']);
    const [line] = await once(child.stdout, 'data');
    const { url } = JSON.parse(String(line));
    const open = await openProviders(
      { COUNCIL_PROVIDERS: 'simulated', SIMULATOR_URL: url },
      shippedCatalogue(),
    );
    await open.providers.grok.ask(question('opinion'));
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
    await expect(fetch(url)).rejects.toThrow();
  });

  test('with --json, reports an invalid command line as one document', async () => {
    const { code, out, err } = await council(['--json', 'report', 'run'], {});
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({
      error: {
        code: 'usage',
        detail: "missing required argument 'search or event id'",
        next: expect.any(String),
      },
    });
    expect(err).toBe('');
  });

  test('names every invalid setting, and where the settings are listed', async () => {
    const { code, err } = await council(['ledger', 'check'], { PORT: 'eighty', COUNCIL_NAME: 'x' });
    expect(code).toBe(1);
    expect(err).toMatch(/PORT: [^]+COUNCIL_NAME: there is no such setting|COUNCIL_NAME: [^]+PORT: /);
    expect(err).toContain('docs/configuration.md');
  });

  test('names an unreachable database without its password, and says what to do', async () => {
    const url = 'postgres://u:canary@127.0.0.1:1/x';
    for (const args of [
      ['ledger', 'check'],
      ['record', 'verify'],
      ['quote', 'explain'],
    ]) {
      const { code, out, err } = await council([...args, '--json'], { DATABASE_URL: url });
      expect(code).toBe(1);
      expect(JSON.parse(out).error).toEqual({
        detail: 'The database at 127.0.0.1:1/x cannot be reached (ECONNREFUSED).',
        next: expect.stringContaining('npm start'),
      });
      expect(`${out}${err}`).not.toContain('canary');
    }
  });
});

describe('the command line, with a service', () => {
  let service: TestService;
  let caller: TestCaller;
  let poor: TestCaller;

  beforeAll(async () => {
    service = await startTestService();
    caller = await service.newCaller(1_000);
    poor = await service.newCaller(0);
  });
  afterAll(() => service.stop());

  const as = (account: TestCaller, args: readonly string[], env: Record<string, string> = {}) =>
    council(args, { COUNCIL_API_KEY: account.key, COUNCIL_BASE_URL: service.url, ...env });

  test('after a run, says how to read the report again in the terminal and the browser, unless --json is set', async () => {
    const { code, err, out } = await as(caller, ['report', 'run', 'fed cut']);
    expect(code).toBe(0);
    const id = /^# Report (\d+): /m.exec(out)?.[1] ?? '';
    expect(err).toContain(`npm run council -- report show ${id}`);
    expect(err).toContain(`${service.url}/reports/${id}`);
    const json = await as(caller, ['report', 'show', id, '--json']);
    expect(JSON.parse(json.out).id).toBe(Number(id));
    expect(json.err).toBe('');
  });

  test.each([
    ['no key', { COUNCIL_API_KEY: '' }, 1, 'export COUNCIL_API_KEY='],
    ['a rejected key', { COUNCIL_API_KEY: 'pc_live_wrong' }, 1, 'keys mint --email'],
    ['no service', { COUNCIL_BASE_URL: 'http://127.0.0.1:1' }, 1, '`npm start`'],
  ])('with %s, says what to do', async (_what, env, code, next) => {
    const shown = await as(caller, ['report', 'show', '1'], env);
    expect(shown.code).toBe(code);
    expect(shown.err).toContain(next);
    const { error } = JSON.parse((await as(caller, ['report', 'show', '1', '--json'], env)).out);
    expect(error.next).toContain(next);
  });

  test('exits with 3 when the price is too high, and says how to get credits', async () => {
    const { code, err } = await as(poor, ['report', 'run', 'sample-bitcoin-high-2031']);
    expect(code).toBe(3);
    expect(err).toContain('insufficient_credits');
    expect(err).toContain('credits grant');
    const json = await as(poor, ['report', 'run', 'sample-bitcoin-high-2031', '--json']);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.out).error).toMatchObject({ code: 'insufficient_credits', balance_credits: 0 });
    const tooExpensive = await as(caller, [
      'report',
      'run',
      'sample-bitcoin-high-2031',
      '--max-credits',
      '10',
    ]);
    expect(tooExpensive.code).toBe(3);
    expect(tooExpensive.err).toMatch(/--max-credits \d\d+,/);
  });

  test('prints a minted key alone on standard output, and advice on standard error', async () => {
    const { code, out, err } = await council(['keys', 'mint', '--email', caller.email, '--name', 'x'], {
      DATABASE_URL: service.database.url,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^pc_live_\w+\n$/);
    expect(err).toContain(`export COUNCIL_API_KEY=${out.trim()}`);
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

  test('names a report that it bought but could not follow', async () => {
    const proxy = await brokenProxy(service.url);
    const { code, err } = await as(caller, ['report', 'run', 'sample-ridge-derby-2031'], {
      COUNCIL_BASE_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    });
    proxy.close();
    expect(code).toBe(1);
    const id = /Bought {2}report (\d+)/.exec(err)?.[1] ?? 'none';
    expect(err).toContain(`Report ${id} is bought, but this command lost track of it`);
    expect(err).toContain(`report show ${id}`);
  });
});

/** A proxy that forwards everything, but closes the connection when a report is read. */
async function brokenProxy(target: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    if (/^\/api\/reports\/\d+$/.test(incoming.url ?? '')) return void incoming.socket.destroy();
    const { method = 'GET', headers } = incoming;
    const passed = forward(new URL(incoming.url ?? '/', target), { method, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
