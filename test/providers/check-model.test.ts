import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createProviders } from '../../providers/create-providers.js';
import { vendorEndpoints } from '../../simulator/dialects/vendor-endpoints.js';
import { type Simulator, startSimulator } from '../../simulator/simulator.js';
import { giveUpAfterMs, until } from '../support/until.js';
import {
  type Adapter,
  adapters,
  memberBehind,
  modelIdOf,
  providersAt,
  secretKey,
  shippedCatalogue,
} from './catalogue.js';
import { failureOf } from './failure-of.js';
import { json, startRawServer } from './vendors/raw-server.js';

const catalogue = shippedCatalogue();
const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
const goodCard = { id: 'x', name: 'models/x', data: { id: 'x', endpoints: [] } };

let simulator: Simulator;
let stop: () => Promise<void> = async () => undefined;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterEach(async () => {
  simulator.clearFaults();
  await stop();
  stop = async () => undefined;
});
afterAll(() => simulator.close());

async function serve(answer: RequestListener) {
  const server = await startRawServer(answer);
  stop = server.close;
  return server;
}

function checkSimulated(adapter: Adapter, modelId: string): Promise<void> {
  const member = memberBehind(adapter);
  const entry = { ...catalogue[member], modelId, openRouterModelId: modelId };
  return providersAt(simulator.baseUrls, { ...catalogue, [member]: entry })[adapter].checkModel(limits);
}

const otherIds: Partial<Record<Adapter, string>> = {
  gemini: 'models/gemini-9',
  openrouter: 'some-author/claude-9.5:free',
};

const cardUrls: Readonly<Record<Adapter, string>> = {
  gpt: `/models/${catalogue.gpt.modelId}`,
  grok: `/models/${catalogue.grok.modelId}`,
  claude: `/v1/models/${catalogue.claude.modelId}`,
  gemini: `/v1beta/models/${catalogue.gemini.modelId}`,
  openrouter: '/models/anthropic/claude-opus-5.5/endpoints',
};

describe.each(adapters)('%s', adapter => {
  test('retrieves only its own model, in one request with its key', async () => {
    const { providers, requests } = await serve(json(200, goodCard));
    await expect(providers[adapter].checkModel(limits)).resolves.toBeUndefined();
    expect(requests.map(({ method, url }) => [method, url])).toEqual([['GET', cardUrls[adapter]]]);
    expect(JSON.stringify(requests[0]?.headers)).toContain(secretKey);
  });

  test('is served by the simulator without faults and without a log entry', async () => {
    simulator.setFault({}, { kind: 'http', status: 500 });
    const before = simulator.calls.length;
    await checkSimulated(adapter, modelIdOf(adapter));
    await checkSimulated(adapter, otherIds[adapter] ?? 'ft:acme/model-9.5:x');
    expect(simulator.calls).toHaveLength(before);
  });

  test('reports an unknown model as unavailable and not retryable', async () => {
    expect(
      await failureOf(checkSimulated(adapter, adapter === 'openrouter' ? 'x/unknown' : 'an-unknown-model')),
    ).toMatchObject({
      kind: 'unavailable',
      retryable: false,
      status: 404,
    });
  });

  test('is unauthorised without a key and sends no request', async () => {
    const { url, requests } = await serve(json(200, goodCard));
    const baseUrls = { openai: url, anthropic: url, google: url, xai: url, openrouter: url };
    const keys = adapter === 'openrouter' ? { openrouter: '' } : {};
    const provider = createProviders({ catalogue, keys, baseUrls })[memberBehind(adapter)];
    const failure = await failureOf(provider.checkModel(limits));
    expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false, status: null });
    const reason = new Error('too late');
    const signal = AbortSignal.abort(reason);
    await expect(provider.checkModel({ ...limits, signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(0);
  });

  test('is unauthorised if the vendor rejects the key; the error contains neither the key nor the vendor’s text', async () => {
    const words = { message: `Incorrect key ${secretKey}`, code: null, type: 'x', status: 'x', details: [] };
    const { providers } = await serve(json(401, { type: 'error', error: words }, { 'x-echo': secretKey }));
    const failure = await failureOf(providers[adapter].checkModel(limits));
    expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false, status: 401 });
    expect(failure.message).toBe('unauthorised (HTTP 401)');
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain(secretKey);
  });

  test.each([
    [200, 'invalid_answer', false],
    [404, 'unavailable', false],
    [502, 'unavailable', true],
  ])('classifies an HTML page with status %i as %s, retryable: %p', async (status, kind, retryable) => {
    const { providers } = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><h1>Sign in</h1>');
    });
    expect(await failureOf(providers[adapter].checkModel(limits))).toMatchObject({ kind, retryable, status });
  });

  test.each([null, 'x', {}, { error: { message: 'x' } }])('rejects %j as model metadata', async body => {
    const { providers } = await serve(json(200, body));
    const failure = await failureOf(providers[adapter].checkModel(limits));
    expect(failure).toMatchObject({ kind: 'invalid_answer', retryable: false, status: 200, usage: null });
  });

  test('ends a cancelled check with the caller’s reason and closes the connection', async () => {
    const { providers, requests } = await serve(() => undefined);
    const caller = new AbortController();
    const reason = new Error('the caller has cancelled');
    const check = providers[adapter].checkModel({ ...limits, signal: caller.signal }).catch(error => error);
    await until('the check reached the server', () => requests.length === 1);
    caller.abort(reason);
    expect(await check).toBe(reason);
    await until('the connection was closed', () => requests[0]?.socket.destroyed === true);
  });

  test('does not retry an unreachable server but marks the error as retryable', async () => {
    const { providers, close } = await serve(json(200, goodCard));
    await close();
    const failure = await failureOf(providers[adapter].checkModel(limits));
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: true, status: null });
  });

  test('does not send its key to the target of a redirect', async () => {
    const elsewhere = await startRawServer(json(200, goodCard));
    const { providers } = await serve((_, response) => {
      response.writeHead(307, { location: `${elsewhere.url}/` }).end();
    });
    const failure = await failureOf(providers[adapter].checkModel(limits));
    expect(failure).toMatchObject({ kind: 'unavailable', retryable: false, status: 307 });
    expect(elsewhere.requests).toHaveLength(0);
    await elsewhere.close();
  });
});

/** Servers that never finish. All adapters meet all of them at once: each case takes the whole time-out. */
const unfinished: readonly RequestListener[] = [
  () => undefined,
  (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
  (_, response) => response.writeHead(500, { 'content-type': 'application/json' }).write('{'),
];

test('every adapter times out on a server that does not finish, and closes the connection', async () => {
  const cases = adapters.flatMap(adapter => unfinished.map(answer => ({ adapter, answer })));
  await Promise.all(
    cases.map(async ({ adapter, answer }) => {
      const { providers, requests, close } = await startRawServer(answer);
      const failure = await failureOf(providers[adapter].checkModel({ ...limits, timeoutMs: giveUpAfterMs }));
      expect(failure).toMatchObject({ kind: 'timed_out', retryable: true, status: null });
      await until('the connection was closed', () => requests[0]?.socket.destroyed === true);
      expect(requests).toHaveLength(1);
      await close();
    }),
  );
});

test('gemini distinguishes a bad key, which is 400, from other bad requests', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
  const { providers } = await serve(json(400, { error: { code: 400, message: 'bad', details } }));
  const failure = await failureOf(providers.gemini.checkModel(limits));
  expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false, status: 400 });
});

describe.each(Object.values(vendorEndpoints))('the simulated $vendor', ({ prefix, dialect }) => {
  const get = (path: string, key: string | null) =>
    fetch(`${simulator.url}${prefix}${path}`, { headers: key === null ? {} : { [dialect.keyHeader]: key } });

  test('rejects a lookup without a key or with a malformed path', async () => {
    const { modelPathPrefix, modelPathSuffix } = dialect;
    const id = modelPathSuffix === undefined ? 'some-model' : 'some/model';
    const card = `${modelPathPrefix}${id}${modelPathSuffix ?? ''}`;
    expect(JSON.stringify(await (await get(card, 'any')).json())).toContain(id);
    expect((await get(card, null)).status).toBe(401);
    for (const path of [
      '',
      '%',
      'a%20b',
      'a/b',
      'a%3Fb',
      'endpoints',
      'a%2Fb/endpoints',
      'a/b/c/endpoints',
    ]) {
      if (path === 'endpoints' && modelPathSuffix === undefined) continue;
      expect((await get(modelPathPrefix + path, 'any')).status).toBe(404);
    }
  });
});
