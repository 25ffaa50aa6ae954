import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { openProviders } from '../../providers/open-providers.js';
import { shippedCatalogue } from '../providers/catalogue.js';
import { question } from '../providers/questions.js';
import { council, startCouncil } from '../support/service/council-command.js';
import { testPort } from '../support/test-port.js';

const { version }: { version: string } = JSON.parse(readFileSync('package.json', 'utf8'));

/** All commands. */
const verbs = [
  'report run',
  'report show',
  'batch run',
  'batch list',
  'batch show',
  'batch pause',
  'batch resume',
  'batch cancel',
  'batch retry',
  'batch results',
  'regrade',
  'evaluate',
  'weights fit',
  'weights list',
  'weights show',
  'weights activate',
  'evidence probe',
  'grade',
  'accounts show',
  'accounts suspend',
  'accounts restore',
  'accounts verify',
  'spend',
  'credits grant',
  'keys mint',
  'keys list',
  'keys revoke',
  'webhooks list',
  'webhooks create',
  'webhooks update',
  'webhooks delete',
  'webhooks rotate-secret',
  'webhooks test',
  'webhooks deliveries',
  'webhooks redeliver',
  'provider-keys rotate',
  'ledger check',
  'quote explain',
  'usage send',
  'usage settle',
  'usage void',
  'payments settle',
  'record anchor',
  'record verify',
  'venues check',
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

describe('the command line', () => {
  test('has exactly these commands, each with a description and an example to copy', async () => {
    const groups = [
      ...new Set(verbs.filter(verb => verb.includes(' ')).map(verb => verb.replace(/ .*/, ''))),
    ];
    const grouped = groups.map(async group => (await commandsIn(group)).map(name => `${group} ${name}`));
    const single = (await commandsIn()).filter(name => !groups.includes(name));
    const listed = [...single, ...(await Promise.all(grouped)).flat()];
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
    [['regrade', '--since', 'yesterday'], '--since: yesterday is not a date; write YYYY-MM-DD.'],
    [['regrade', '--since', '2031-02-30'], '--since: 2031-02-30 is not a date'],
    [['regrade', '--all', '--event', 'e'], "option '--event <id>' cannot be used with option '--all'"],
    [['report', 'show', 'one'], 'whole number'],
    [['report', 'run', 'fed cut', '--max-usd', '1.505'], 'dollars'],
    [['report', 'run', 'fed cut', '--lane', 'gift'], 'credits, subscription, byok'],
    [
      ['webhooks', 'create', '--email', 'a@b.c', '--url', 'x', '--types', 'report.started'],
      'Expected some of',
    ],
    [['credits', 'grant', '--email', 'a@b.c', '--credits', '-5', '--reason', 'x'], 'whole number'],
  ])('%j is invalid: it does nothing, says so and exits with 2', async (args, message) => {
    const { code, out, err } = await council(args, {});
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(message);
  });

  test('simulator: serves the vendors until it is asked to end, and prints its address', async () => {
    const { child, ended } = startCouncil(['simulator', '--port', String(await testPort()), '--json']);
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
