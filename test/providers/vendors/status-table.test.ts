import { afterEach, describe, expect, test } from '@jest/globals';
import { adapters } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question } from '../questions.js';
import { json, startRawServer } from './raw-server.js';

let stop: () => Promise<void> = async () => undefined;
afterEach(() => stop());

async function serve(...answer: Parameters<typeof json>) {
  const server = await startRawServer(json(...answer));
  stop = server.close;
  return server;
}

/** The time-outs within the vendor, after which it may bill what it did. */
const timeouts: readonly number[] = [408, 504];

const limits = { timeoutMs: 20_000, signal: new AbortController().signal };

const statuses = [
  [400, 'unavailable', false],
  [401, 'unauthorised', false],
  [402, 'unauthorised', false],
  [403, 'unauthorised', false],
  [404, 'unavailable', false],
  [408, 'timed_out', true],
  [409, 'unavailable', true],
  [413, 'unavailable', false],
  [422, 'unavailable', false],
  [429, 'rate_limited', true],
  [500, 'unavailable', true],
  [502, 'unavailable', true],
  [503, 'unavailable', true],
  [504, 'unavailable', true],
  [529, 'unavailable', true],
] as const;

describe.each(adapters)('%s', adapter => {
  test.each(statuses)(
    'classifies HTTP %i as %s, retryable: %p, for `ask` and `checkModel`',
    async (...row) => {
      const [status, kind, retryable] = row;
      const { providers, requests } = await serve(status, { error: { message: 'Simulated.' } });
      const unreported = timeouts.includes(status);
      const expected = { kind, retryable, status, retryAfterMs: null, usage: null, unreported };
      expect(await failureOf(providers[adapter].ask(question('opinion')))).toMatchObject(expected);
      expect(await failureOf(providers[adapter].checkModel(limits))).toMatchObject(expected);
      expect(requests).toHaveLength(2);
    },
  );

  test.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Sat, 21 Nov 2020 12:00:45 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
  ])('reports the delay of %j from `checkModel`', async (headers, retryAfterMs) => {
    const { providers, requests } = await serve(429, { error: {} }, { ...headers, 'x-should-retry': 'true' });
    expect(await failureOf(providers[adapter].checkModel(limits))).toMatchObject({ retryAfterMs });
    expect(requests).toHaveLength(1);
  });

  test('passes on a date to come as a time from now', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { providers } = await serve(503, { error: {} }, { 'retry-after': date });
    const { retryAfterMs } = await failureOf(providers[adapter].checkModel(limits));
    expect(retryAfterMs).toBeGreaterThan(50_000);
    expect(retryAfterMs).toBeLessThanOrEqual(60_000);
  });
});

test('gemini: `ask` sees no headers, which the SDK hides; `checkModel` sees headers and body', async () => {
  const delay = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17.5s' };
  const hidden = await serve(429, { error: {} }, { 'retry-after': '7' });
  expect(await failureOf(hidden.providers.gemini.ask(question('opinion')))).toMatchObject({
    retryAfterMs: null,
  });
  await hidden.close();
  const { providers } = await serve(429, { error: { details: [delay] } });
  expect(await failureOf(providers.gemini.checkModel(limits))).toMatchObject({ retryAfterMs: 17_500 });
});
