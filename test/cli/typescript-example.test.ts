import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { subscribe } from '../support/service/subscribe.js';
import { useTestService } from '../support/use-service.js';

const run = promisify(execFile);

/** The client examples, started as a user starts them. The TypeScript one is compiled by the build. */
const examples: [language: string, command: string, ...first: string[]][] = [
  ['TypeScript', process.execPath, 'dist/examples/report.js'],
];
/** Events on which no other example runs: one for a subscription, one for a run that fails. */
const ownEvents: Record<string, { billed: string; failing: string }> = {
  TypeScript: { billed: 'mayor', failing: 'song contest' },
  Python: { billed: 'ridge derby', failing: 'crude oil' },
  curl: { billed: 'chess knockout', failing: 'craft expo' },
};
const tools: Record<string, string> = { Python: 'python3', curl: 'jq' };

interface Environment {
  readonly COUNCIL_API_KEY?: string | undefined;
  readonly COUNCIL_BASE_URL?: string;
}

/** An expected refusal: no stack trace, no message of the shell, nothing on standard output. */
const oneLine = (message: RegExp) => ({
  code: 1,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`${message.source}[^\\n]*\\n$`)),
});

const service = await useTestService({ researchDeadlineMs: 60_000 });
const caller = await service.newCaller(2_000);

describe.each(examples)('the %s example', (language, command, script = '') => {
  const { billed = '', failing = '' } = ownEvents[language] ?? {};
  const tool = tools[language];
  const isThere = tool === undefined || spawnSync(tool, ['--version']).status === 0;
  const startWith = (environment: Environment, ...words: string[]) =>
    run(command, [script, ...words], {
      env: {
        PATH: process.env['PATH'],
        COUNCIL_BASE_URL: service.url,
        COUNCIL_API_KEY: caller.key,
        ...environment,
      },
    });
  const start = (key: string, ...words: string[]) => startWith({ COUNCIL_API_KEY: key }, ...words);
  // Skipped by name, so that a machine without the tool shows what it did not run.
  const testIfThere = isThere ? test : test.skip;

  testIfThere(
    `finds, buys, waits and explains${isThere ? '' : ` (skipped: ${tool} is not installed here)`}`,
    async () => {
      const buyer = await service.newCaller(500);
      const { stdout } = await start(buyer.key, 'fed cut', '150');
      expect(stdout).toMatch(/Will the Federal Reserve cut rates/);
      expect(stdout).toMatch(
        /^(Yes|No): estimate [\d.]+ % \(council, without seeing a price: [\d.]+ %; market: [\d.]+ %\)$/m,
      );
      expect(stdout).toMatch(/^(BUY_YES|BUY_NO|SKIP) on .*: estimate [\d.]+ % for YES, confidence [\d.]+$/m);
      expect(stdout).toMatch(/^S1 \S+\.example\.org, (undated|[\d-]{10}): .* https:\S+$/m);
      expect(stdout).toMatch(/^(More|Less) likely \(Yes\) if by [\d-]{10}: Simulated: /m);
      expect(stdout).toMatch(/SIMULATED/);
      const spent = Number(/Report \d+, (\d+) credits/.exec(stdout)?.[1]);
      expect(spent).toBeGreaterThan(0);
      expect(500 - (await buyer.balance())).toBe(spent);
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

  testIfThere('bills a subscription only within the limit in dollars, and prints the dollars', async () => {
    const subscriber = await service.newCaller(1_000);
    await subscribe(service.database.db, subscriber.accountId);
    for (const limits of [[], ['1'], ['1000', '2.99'], ['1000', '0'], ['1000', '0', 'subscription']]) {
      await expect(start(subscriber.key, billed, ...limits)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^The report costs 3\.00 USD on the subscription; the limit is \S+ USD.*\n$/,
        ),
      });
    }
    expect((await subscriber.get('/api/reports')).body.total).toBe(0);
    const { stdout } = await start(subscriber.key, billed, '1', '3.00');
    expect(stdout).toMatch(/Report \d+, 3\.00 USD, billed to the subscription\./);
    const again = await start(subscriber.key, billed, '0');
    expect(again.stdout).toMatch(/Report \d+, owned already: nothing was charged\./);
    expect(await subscriber.balance()).toBe(1_000);
    const onCredits = await start(subscriber.key, 'bitcoin', '150', '0', 'credits');
    expect(onCredits.stdout).toMatch(/Report \d+, \d+ credits \(purchased\)\./);
  });

  testIfThere('ends a failed run with one line', async () => {
    const other = await service.newCaller(500);
    service.simulator.setFault({}, { kind: 'http', status: 403 });
    await expect(start(other.key, failing)).rejects.toMatchObject(oneLine(/^The run failed: /));
    service.simulator.clearFaults();
  });

  testIfThere.each([
    ['a rejected key', { COUNCIL_API_KEY: 'pc_live_nonsense' }, [], /^unauthenticated: /],
    ['no key', { COUNCIL_API_KEY: undefined }, [], /^Set COUNCIL_API_KEY/],
    ['no service', { COUNCIL_BASE_URL: 'http://127.0.0.1:1' }, [], /^The service at \S+ cannot be reached/],
    ['no event', {}, ['nothing like this anywhere'], /^No open event matches/],
    ['a limit that is no number', {}, ['fed cut', 'many'], /^The limit in credits/],
    ['a limit that is no amount', {}, ['fed cut', '150', '1.505'], /^The limit in dollars/],
    ['an unknown lane', {}, ['fed cut', '150', '0', 'gift'], /^invalid_request: /],
    ['a lane that is not set up', {}, ['moon', '150', '0', 'byok'], /^lane_unavailable: /],
  ] as const)('ends %s with one line on standard error', async (_, environment, words, message) => {
    await expect(startWith(environment, ...words)).rejects.toMatchObject(oneLine(message));
  });
});
