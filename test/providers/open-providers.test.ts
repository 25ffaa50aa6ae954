import { beforeEach, describe, expect, test } from '@jest/globals';
import { councilModels } from '../../council/models.js';
import { createProviders } from '../../providers/create-providers.js';
import { openProviders } from '../../providers/open-providers.js';
import { hashKey } from '../../simulator/digests.js';
import { liveSettings, secretKey, shippedCatalogue } from './catalogue.js';
import { failureOf } from './failure-of.js';
import { question } from './questions.js';
import { useSimulator } from './use-simulator.js';

const serviceKey = 'sk-house';
const callersKey = 'sk-callers-own';
const simulator = await useSimulator();
const houseKeys = { openai: serviceKey, anthropic: serviceKey, google: serviceKey, xai: serviceKey };
const open = await openProviders(liveSettings(houseKeys, simulator.baseUrls), shippedCatalogue());
let before = 0;

beforeEach(() => {
  before = simulator.calls.length;
});

const newCalls = () =>
  simulator.calls.slice(before).map(({ vendor, model, keyHash }) => ({ vendor, model, keyHash }));

describe('live models', () => {
  test('are called with the service’s keys at the configured base URLs', async () => {
    for (const model of councilModels) await open.providers[model].ask(question('opinion'));
    expect(newCalls().map(call => call.model)).toEqual([...councilModels]);
    expect(new Set(newCalls().map(call => call.keyHash))).toEqual(new Set([hashKey(serviceKey)]));
  });

  test('are called with a caller’s keys at the same base URLs, including OpenRouter’s', async () => {
    const direct = open.providersWith({ xai: callersKey });
    const routed = open.providersWith({ openrouter: callersKey });
    await direct.grok.ask(question('opinion'));
    await routed.claude.ask(question('opinion'));
    const keyHash = hashKey(callersKey);
    expect(newCalls()).toEqual([
      { vendor: 'xai', model: 'grok', keyHash },
      { vendor: 'openrouter', model: 'claude', keyHash },
    ]);
  });

  test('are not called with the service’s key if the caller’s key is missing', async () => {
    const { claude } = open.providersWith({ xai: callersKey });
    expect(await failureOf(claude.ask(question('opinion')))).toMatchObject({ kind: 'unauthorised' });
    expect(newCalls()).toEqual([]);
  });
});

test('simulated models are called with the caller’s keys at the simulator', async () => {
  const simulated = await openProviders({ COUNCIL_PROVIDERS: 'simulated' }, shippedCatalogue());
  try {
    const { modelId } = await simulated
      .providersWith({ openrouter: callersKey })
      .gpt.ask(question('opinion'));
    expect(modelId).toBe(shippedCatalogue().gpt.openRouterModelId);
  } finally {
    await simulated.close();
  }
});

test('simulated models of all processes are those of one simulator, where it is configured', async () => {
  const settings = { COUNCIL_PROVIDERS: 'simulated', SIMULATOR_URL: simulator.url } as const;
  const workers = await Promise.all([1, 2].map(() => openProviders(settings, shippedCatalogue())));
  for (const worker of workers) {
    expect(worker.simulatorUrl).toBe(simulator.url);
    await worker.providers.claude.ask(question('opinion'));
    await worker.providersWith({ xai: callersKey }).grok.ask(question('opinion'));
    await worker.close();
  }
  expect(newCalls().map(({ model }) => model)).toEqual(['claude', 'grok', 'claude', 'grok']);
  // Closing a worker does not close the simulator of the others.
  expect((await fetch(`${simulator.url}/simulator/faults`)).status).toBe(200);
});

test.each(['', `${secretKey}\n`, `${secretKey} x`, 'schlüssel'])(
  'the key %j counts as missing, because `fetch` would quote it in an error',
  async key => {
    const keys = { openai: key, anthropic: key, google: key, xai: key };
    for (const held of [{}, keys, { openrouter: key }]) {
      const providers = createProviders({ catalogue: shippedCatalogue(), keys: held, baseUrls: {} });
      expect(Object.keys(providers).sort()).toEqual([...councilModels].sort());
      for (const member of councilModels) {
        const failure = await failureOf(providers[member].ask(question('opinion')));
        expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false });
      }
    }
  },
);
