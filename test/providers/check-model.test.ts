import { describe, expect, test } from '@jest/globals';
import { vendorEndpoints } from '../../simulator/dialects/vendor-endpoints.js';
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
import { question } from './questions.js';
import { useSimulator } from './use-simulator.js';
import { json, useRawServers } from './vendors/raw-server.js';

const catalogue = shippedCatalogue();
const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
const goodCard = { id: 'x', name: 'models/x', data: { id: 'x', endpoints: [] } };

const simulator = await useSimulator();
const serve = useRawServers();

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
    const unknown = adapter === 'openrouter' ? 'x/unknown' : 'an-unknown-model';
    const expected = { kind: 'unavailable', retryable: false, status: 404 };
    expect(await failureOf(checkSimulated(adapter, unknown))).toMatchObject(expected);
  });
});

test('gemini distinguishes a bad key, which is 400, from other bad requests', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
  const { providers } = await serve(json(400, { error: { code: 400, message: 'bad', details } }));
  const failure = await failureOf(providers.gemini.checkModel(limits));
  expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false, status: 400 });
});

test('gemini: a check sees the headers, which the SDK hides from a call, and the body', async () => {
  const { providers } = await serve(json(429, { error: {} }, { 'retry-after': '7' }));
  expect((await failureOf(providers.gemini.ask(question('opinion')))).retryAfterMs).toBeNull();
  const delay = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17.5s' };
  const other = await serve(json(429, { error: { details: [delay] } }));
  expect((await failureOf(other.providers.gemini.checkModel(limits))).retryAfterMs).toBe(17_500);
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
    const malformed = ['', '%', 'a%20b', 'a/b', 'a%3Fb', 'a%2Fb/endpoints', 'a/b/c/endpoints'];
    for (const path of modelPathSuffix === undefined ? malformed : [...malformed, 'endpoints']) {
      expect((await get(modelPathPrefix + path, 'any')).status).toBe(404);
    }
  });
});
