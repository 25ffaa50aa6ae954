import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { councilModels, keyVendors } from '../../../council/models.js';
import { createProviders } from '../../../providers/create-providers.js';
import { hashKey } from '../../../simulator/digests.js';
import type { Fault, SimulatedCall } from '../../../simulator/faults.js';
import { allKeys, providersAt, secretKey, shippedCatalogue, throughOpenRouter } from '../catalogue.js';
import { failureOf } from '../failure-of.js';
import { question } from '../questions.js';
import { useSimulator } from '../use-simulator.js';

const catalogue = shippedCatalogue();
const callersKey = 'sk-or-v1-callers-own';
const limits = { timeoutMs: 20_000, signal: new AbortController().signal };
const simulator = await useSimulator();
let before = 0;

beforeEach(() => {
  before = simulator.calls.length;
});

function newCalls(): readonly SimulatedCall[] {
  return simulator.calls.slice(before);
}

function providersWith(keys: Parameters<typeof createProviders>[0]['keys']) {
  return createProviders({ catalogue, keys, baseUrls: simulator.baseUrls });
}

describe('a key for OpenRouter', () => {
  test('serves all four members with their OpenRouter ids', async () => {
    const providers = providersWith({ openrouter: callersKey });
    for (const member of councilModels) {
      const { modelId } = await providers[member].ask(question('opinion'));
      expect(modelId).toBe(catalogue[member].openRouterModelId);
      await providers[member].checkModel(limits);
    }
    const keyHash = hashKey(callersKey);
    expect(newCalls()).toMatchObject(
      councilModels.map(model => ({ vendor: 'openrouter', model, stage: 'opinions', keyHash })),
    );
  });

  test('is used instead of all other keys', async () => {
    const providers = providersWith({ ...allKeys, openrouter: callersKey });
    for (const member of councilModels) await providers[member].ask(question('opinion'));
    expect(new Set(newCalls().map(({ vendor }) => vendor))).toEqual(new Set(['openrouter']));
    expect(new Set(newCalls().map(({ keyHash }) => keyHash))).toEqual(new Set([hashKey(callersKey)]));
  });

  test.each(['', 'two words'])(
    '(%j) makes all four drop out without falling back to another key',
    async openrouter => {
      const providers = providersWith({ ...allKeys, openrouter });
      for (const member of councilModels) {
        const expected = { kind: 'unauthorised', retryable: false, status: null };
        expect(await failureOf(providers[member].ask(question('opinion')))).toMatchObject(expected);
        expect(await failureOf(providers[member].checkModel(limits))).toMatchObject(expected);
      }
      expect(newCalls()).toEqual([]);
    },
  );

  test('that OpenRouter rejects makes all four drop out without falling back to another key', async () => {
    simulator.setFault({ keyHash: hashKey(callersKey) }, { kind: 'http', status: 401 });
    const providers = providersWith({ ...allKeys, openrouter: callersKey });
    for (const member of councilModels) {
      const failure = await failureOf(providers[member].ask(question('opinion')));
      expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false, status: 401 });
    }
    expect(newCalls().map(({ vendor }) => vendor)).toEqual(councilModels.map(() => 'openrouter'));
  });

  test('gets the very words from a member that its own vendor’s key gets', async () => {
    const [own, routed] = [providersAt(simulator.baseUrls), throughOpenRouter(simulator.baseUrls)];
    for (const member of councilModels) {
      const { text } = await own[member].ask(question('opinion'));
      expect(await routed[member].ask(question('opinion'))).toMatchObject({ text });
    }
  });

  test.each(councilModels)('does not affect the other members if only %s fails', async member => {
    simulator.setFault({ model: member }, { kind: 'refusal' });
    const providers = throughOpenRouter(simulator.baseUrls);
    for (const other of councilModels) {
      const ended = await providers[other].ask(question('opinion')).then(
        () => 'answered',
        ({ kind }) => kind,
      );
      expect(ended).toBe(other === member ? 'refused' : 'answered');
    }
  });
});

describe('the simulator’s log', () => {
  test('records the vendor and the key’s hash of a call, but not the key', async () => {
    const keys = { openai: 'key-o', anthropic: 'key-a', google: 'key-g', xai: 'key-x' };
    const providers = { ...providersWith(keys), openrouter: providersWith({ openrouter: secretKey }).grok };
    const ways = [
      ['gpt', 'openai', 'key-o', 'gpt'],
      ['claude', 'anthropic', 'key-a', 'claude'],
      ['gemini', 'google', 'key-g', 'gemini'],
      ['grok', 'xai', 'key-x', 'grok'],
      ['openrouter', 'openrouter', secretKey, 'grok'],
    ] as const;
    for (const [adapter] of ways) await providers[adapter].ask(question('opinion'));
    expect(newCalls()).toMatchObject(
      ways.map(([, vendor, key, model]) => ({
        vendor,
        model,
        keyHash: createHash('sha256').update(key).digest('hex'),
      })),
    );
    const told = JSON.stringify(simulator.calls);
    for (const [, , key] of ways) expect(told).not.toContain(key);
    expect(Object.keys(simulator.baseUrls).sort()).toEqual([...keyVendors].sort());
  });
});

describe('a fault of one key', () => {
  test('applies only to the calls made with it', async () => {
    const faulty = providersWith({ openrouter: callersKey });
    const sound = throughOpenRouter(simulator.baseUrls);
    simulator.setFault({ keyHash: hashKey(callersKey), times: 2 }, { kind: 'http', status: 402 });
    await sound.gpt.ask(question('opinion'));
    expect(await failureOf(faulty.gpt.ask(question('opinion')))).toMatchObject({ status: 402 });
    await sound.gpt.ask(question('opinion'));
    expect(await failureOf(faulty.grok.ask(question('opinion')))).toMatchObject({ status: 402 });
    await faulty.grok.ask(question('opinion'));
    expect(newCalls().map(({ fault }) => fault)).toEqual([null, 'http', null, 'http', null]);
  });

  test('is set with the key’s hash; a key is rejected', async () => {
    const put = (keyHash: string) =>
      fetch(`${simulator.url}/simulator/faults`, {
        method: 'PUT',
        body: JSON.stringify([{ keyHash, fault: { kind: 'refusal' } }]),
      });
    expect((await put(hashKey(callersKey))).status).toBe(200);
    expect((await put(callersKey)).status).toBe(400);
  });
});

describe('a fault at the simulated OpenRouter', () => {
  test.each<readonly [string, Fault, object]>([
    [
      'a failure with status 200',
      { kind: 'http', status: 200, code: '502' },
      { kind: 'unavailable', retryable: true, status: 502 },
    ],
    [
      'a moderation',
      { kind: 'http', status: 403, code: 'content_filter' },
      { kind: 'refused', retryable: false },
    ],
    [
      'exhausted credits',
      { kind: 'http', status: 402, code: 'insufficient_quota' },
      { kind: 'rate_limited', retryable: false },
    ],
    [
      'a refusal by OpenRouter',
      { kind: 'http', status: 400, code: 'refusal' },
      { kind: 'refused', retryable: false },
    ],
  ])('is %s if configured', async (_, fault, expected) => {
    simulator.setFault({ times: 1 }, fault);
    const { gemini } = throughOpenRouter(simulator.baseUrls);
    expect(await failureOf(gemini.ask(question('opinion')))).toMatchObject(expected);
  });
});
