import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { createProviders } from '../../../providers/create-providers.js';
import type { ModelProvider } from '../../../providers/model-provider.js';
import { giveUpAfterMs, until } from '../../support/until.js';
import { adapters, everyVendorAt, memberBehind, secretKey, shippedCatalogue } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question, searchQuestion } from '../questions.js';
import { json, startRawServer, useRawServers } from './raw-server.js';

/** What holds for whatever an adapter asks of its vendor. */

interface Limits {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const asked = {
  ask: (provider: ModelProvider, limits: Limits = {}) => provider.ask(question('opinion', limits)),
  search: (provider: ModelProvider, limits: Limits = {}) => provider.search(searchQuestion(limits)),
  checkModel: (provider: ModelProvider, limits: Limits = {}) =>
    provider.checkModel({ timeoutMs: 20_000, signal: new AbortController().signal, ...limits }),
};
const names = ['ask', 'search', 'checkModel'] as const;
const every = adapters.flatMap(adapter => names.map(name => [adapter, name] as const));
/** Google's SDK hides the headers of an answer, and follows a redirect. */
const withHeaders = every.filter(([adapter, name]) => adapter !== 'gemini' || name === 'checkModel');

const serve = useRawServers();

const page = (status: number, type: string): RequestListener => {
  return (_, response) => response.writeHead(status, { 'content-type': type }).end('<!doctype html>');
};

/** The time-outs within the vendor, after which it may bill what it did. */
const timeouts: readonly number[] = [408, 504];

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

describe.each(every)('%s: %s', (adapter, name) => {
  const request = asked[name];

  test('each status of a failure has its kind, after one request, and its text is kept out of the error', async () => {
    let status = 0;
    const words = { message: `Incorrect key ${secretKey}`, code: null, type: 'x', status: 'x', details: [] };
    const { providers, requests } = await serve((...exchange) =>
      json(status, { type: 'error', error: words }, { 'x-echo': secretKey })(...exchange),
    );
    for (const [each, kind, retryable] of statuses) {
      status = each;
      requests.length = 0;
      const failure = await failureOf(request(providers[adapter]));
      const unreported = timeouts.includes(status);
      const expected = { kind, retryable, status, retryAfterMs: null, usage: null, unreported };
      expect(failure).toMatchObject(expected);
      expect(failure.message).toContain(`(HTTP ${status})`);
      expect(inspect(failure, { depth: null, showHidden: true })).not.toMatch(/Incorrect|secret/);
      expect(requests).toHaveLength(1);
    }
  });

  test.each<[string, RequestListener]>([
    ['null', json(200, null)],
    ['a text', json(200, 'Bad gateway')],
    ['an empty object', json(200, {})],
    ['an error with status 200', json(200, { error: { message: 'x' } })],
    ['a page', page(200, 'text/html')],
    ['a page that is declared as JSON', page(200, 'application/json')],
  ])('a body that is %s is an invalid answer', async (_, answer) => {
    const { providers, requests } = await serve(answer);
    const invalid = { kind: 'invalid_answer', retryable: false, usage: null, unreported: true };
    expect(await failureOf(request(providers[adapter]))).toMatchObject(invalid);
    expect(requests).toHaveLength(1);
  });

  test.each([
    [404, false],
    [502, true],
  ])('a page with status %i is a failure of the vendor, retryable: %p', async (status, retryable) => {
    const { providers } = await serve(page(status, 'text/html'));
    const expected = { kind: 'unavailable', retryable, status };
    expect(await failureOf(request(providers[adapter]))).toMatchObject(expected);
  });

  test('a connection that broke in the middle of the body is retryable', async () => {
    const { providers } = await serve((sent, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"model":', () => sent.socket.resetAndDestroy());
    });
    const expected = { kind: 'unavailable', retryable: true, unreported: true };
    expect(await failureOf(request(providers[adapter]))).toMatchObject(expected);
  });

  test('an unreachable server is retryable', async () => {
    const { providers, close } = await serve(json(200, {}));
    await close();
    const expected = { kind: 'unavailable', retryable: true, status: null };
    expect(await failureOf(request(providers[adapter]))).toMatchObject(expected);
  });

  test('a cancelled request ends with the caller’s reason, closes its connection, and none follows', async () => {
    const { providers, requests } = await serve(() => undefined);
    const caller = new AbortController();
    const reason = new Error('the report was cancelled');
    const answer = request(providers[adapter], { signal: caller.signal }).catch(error => error);
    await until('the request reached the server', () => requests.length === 1);
    caller.abort(reason);
    expect(await answer).toBe(reason);
    await until('the connection was closed', () => requests[0]?.socket.destroyed === true);
    await expect(request(providers[adapter], { signal: caller.signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test('without a key it is unauthorised or ends with the caller’s reason, and no request is sent', async () => {
    const { url, requests } = await serve(json(200, {}));
    const keys = adapter === 'openrouter' ? { openrouter: '' } : {};
    const providers = createProviders({ catalogue: shippedCatalogue(), keys, baseUrls: everyVendorAt(url) });
    const provider = providers[memberBehind(adapter)];
    const unauthorised = { kind: 'unauthorised', retryable: false, status: null };
    expect(await failureOf(request(provider))).toMatchObject(unauthorised);
    const reason = new Error('too late');
    await expect(request(provider, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toHaveLength(0);
  });
});

describe.each(withHeaders)('%s: %s', (adapter, name) => {
  const request = asked[name];

  test('the delay that the vendor asks for is reported', async () => {
    let headers = {};
    const { providers, requests } = await serve((...exchange) =>
      json(429, { error: {} }, { ...headers, 'x-should-retry': 'true' })(...exchange),
    );
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    for (const [given, least, most] of [
      [{ 'retry-after-ms': '250' }, 250, 250],
      [{ 'retry-after': '7' }, 7_000, 7_000],
      [{ 'retry-after': 'Sat, 21 Nov 2020 12:00:45 GMT' }, 0, 0],
      [{ 'retry-after': inAMinute }, 30_000, 60_000],
    ] as const) {
      headers = given;
      const { retryAfterMs } = await failureOf(request(providers[adapter]));
      expect(retryAfterMs).toBeGreaterThanOrEqual(least);
      expect(retryAfterMs).toBeLessThanOrEqual(most);
    }
    headers = { 'retry-after': 'soon' };
    expect((await failureOf(request(providers[adapter]))).retryAfterMs).toBeNull();
    expect(requests).toHaveLength(5);
  });

  test('the key is not sent to the target of a redirect', async () => {
    const elsewhere = await serve(json(200, {}));
    const { providers } = await serve((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/` }).end();
    });
    const expected = { kind: 'unavailable', retryable: false, status: 307 };
    expect(await failureOf(request(providers[adapter]))).toMatchObject(expected);
    expect(elsewhere.requests).toHaveLength(0);
  });
});

/** Servers that never finish. All requests meet all of them at once: each case takes the whole time-out. */
const unfinished: readonly RequestListener[] = [
  () => undefined,
  (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
  (_, response) => response.writeHead(500, { 'content-type': 'application/json' }).write('{'),
];

test('every request times out on a server that does not finish, and closes the connection', async () => {
  const cases = every.flatMap(([adapter, name]) => unfinished.map(answer => ({ adapter, name, answer })));
  await Promise.all(
    cases.map(async ({ adapter, name, answer }) => {
      const { providers, requests, close } = await startRawServer(answer);
      const failure = await failureOf(asked[name](providers[adapter], { timeoutMs: giveUpAfterMs }));
      const gaveUp = { kind: 'timed_out', retryable: true, retryAfterMs: null, status: null };
      expect(failure).toMatchObject(gaveUp);
      await until('the connection was closed', () => requests[0]?.socket.destroyed === true);
      expect(requests).toHaveLength(1);
      await close();
    }),
  );
});
