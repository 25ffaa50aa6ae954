import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type ProxyAction, startProxy } from '../mcp/support/proxy.js';
import { setPrice } from '../support/service/set-price.js';
import { subscribe } from '../support/service/subscribe.js';
import { useTestService } from '../support/use-service.js';

/**
 * The programs of `examples/` that need no generated client; `test/generators` starts the others. Each buys within a limit
 * in credits, waits, and prints.
 */

const run = promisify(execFile);

// Skipped by name, so that a machine without the tool shows what it did not run.
const describeWithJq = spawnSync('jq', ['--version']).status === 0 ? describe : describe.skip;

const programs: [name: string, command: string, ...first: string[]][] = [
  ['report.sh', 'bash', 'examples/report.sh'],
  ['report.ts', process.execPath, 'dist/examples/report.js'],
];
/** Events on which no other program runs. */
const ownEvents: Record<string, { bought: string; failing: string; dear: string; late: string }> = {
  'report.sh': {
    bought: 'sample-fed-cut-2031',
    failing: 'sample-expo-host-2031',
    dear: 'sample-hottest-year-2031',
    late: 'sample-great-quake-2031',
  },
  'report.ts': {
    bought: 'sample-calder-mayor-2031',
    failing: 'sample-ridge-derby-2031',
    dear: 'sample-bitcoin-high-2031',
    late: 'sample-crewed-moon-landing-2031',
  },
};

const service = await useTestService();
const proxy = await startProxy(service.url);
afterAll(() => proxy.close());

describeWithJq.each(programs)('examples/%s', (name, command, ...first) => {
  const { bought = '', failing = '', dear = '', late = '' } = ownEvents[name] ?? {};
  const startWith = (environment: Record<string, string | undefined>, ...words: string[]) =>
    run(command, [...first, ...words], {
      env: { PATH: process.env['PATH'], COUNCIL_BASE_URL: service.url, ...environment },
    });
  const start = (key: string, ...words: string[]) => startWith({ COUNCIL_API_KEY: key }, ...words);

  test('buys within its limit, waits and prints the report in words, its limits first', async () => {
    const buyer = await service.newCaller(500);
    const { stdout } = await start(buyer.key, bought, '150');
    expect(stdout).toMatch(/^# Report \d+: \S.*\nSIMULATED/);
    expect(stdout).toMatch(/^- Most likely: \*\*\S.*\*\*\. Estimate [\d.]+ %/m);
    const spent = 500 - (await buyer.balance());
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(150);
    // Started again, it finds what it owns.
    expect((await start(buyer.key, bought, '0')).stdout).toBe(stdout);
    expect(await buyer.balance()).toBe(500 - spent);
  });

  test.each(['0', '50', 'many', ''])('spends nothing within "%s"', async limit => {
    const buyer = await service.newCaller(500);
    await expect(start(buyer.key, dear, limit)).rejects.toMatchObject({ stdout: '' });
    expect(await buyer.balance()).toBe(500);
    expect((await buyer.get('/api/reports')).body.total).toBe(0);
  });

  test('never bills a subscription: it has no limit in dollars', async () => {
    const subscriber = await service.newCaller(0);
    await subscribe(service.database.db, subscriber.accountId);
    await expect(start(subscriber.key, dear, '150')).rejects.toMatchObject({
      stderr: expect.stringContaining('insufficient_credits'),
    });
    expect((await subscriber.get('/api/reports')).body.total).toBe(0);
  });

  test('never pays more than its limit for a price that rises between check and purchase', async () => {
    const { fresh_credits } = (await (await fetch(`${service.url}/api/credits/pricing`)).json()) as any;
    proxy.onRequest = async (what): Promise<ProxyAction> => {
      if (what === 'POST /api/reports') await setPrice(service.database.db, Math.ceil(fresh_credits * 1.1));
      return 'forward';
    };
    const buyer = await service.newCaller(500);
    await startWith({ COUNCIL_API_KEY: buyer.key, COUNCIL_BASE_URL: proxy.url }, late, `${fresh_credits}`);
    expect(500 - (await buyer.balance())).toBe(fresh_credits);
    proxy.onRequest = () => 'forward';
    await setPrice(service.database.db, fresh_credits);
  });

  test('ends with an error if the run fails, which is refunded', async () => {
    const buyer = await service.newCaller(500);
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    await expect(start(buyer.key, failing, '150')).rejects.toMatchObject({ code: 1 });
    service.simulator.clearFaults();
    expect(await buyer.balance()).toBe(500);
  });

  test.each([
    ['a rejected key', { COUNCIL_API_KEY: 'pc_live_nonsense' }, bought, /unauthenticated/],
    ['no service', { COUNCIL_BASE_URL: 'http://127.0.0.1:1' }, bought, /./],
    ['no event', {}, 'nowhere', /event_not_found/],
  ])('ends with %s, and says so', async (_what, environment, event, message) => {
    const { key } = await service.newCaller(0);
    await expect(startWith({ COUNCIL_API_KEY: key, ...environment }, event, '150')).rejects.toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(message),
    });
  });
});

describe('each program has at most 15 lines', () => {
  test.each(['report.go', 'report.py', 'report.sh', 'report.ts'])('examples/%s', file => {
    const lines = linesOf(readFileSync(`examples/${file}`, 'utf8'));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.length).toBeLessThanOrEqual(15);
  });

  test('other than comments, imports, blank lines and brackets that stand alone', () => {
    const text = '"""What it does.\n\nAnd how."""\n# Why\nimport os\n\nx = 1  # so\nif x:\n  f(x)\n}\n';
    expect(linesOf(text)).toEqual(['x = 1  # so', 'if x:', '  f(x)']);
  });
});

function linesOf(program: string): string[] {
  return program
    .replace(/^"""[\s\S]*?"""$|^\/\*\*[\s\S]*?\*\/$|^import \([\s\S]*?^\)$/gm, '')
    .split('\n')
    .filter(line => !/^\s*(#|\/\/|import\b|from\b|package\b)|^[\s(){}[\];]*$/.test(line));
}
