import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkModels } from '../../providers/check-models.js';
import { createProviders } from '../../providers/create-providers.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { type Simulator, startSimulator } from '../../providers/simulator/simulator.js';
import { cataloguePath, secretKey } from './catalogue.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator.close());

const catalogue = loadModelCatalogue(cataloguePath);
const keys = { openai: secretKey, anthropic: secretKey, google: secretKey, xai: secretKey };

test('models that the vendors know are not listed, and no paid call is made', async () => {
  const providers = createProviders({ catalogue, keys, baseUrls: simulator.baseUrls });
  expect(await checkModels(providers, catalogue)).toEqual([]);
  expect(simulator.calls).toEqual([]);
});

test('a retired model id and a missing key are detected before the first report', async () => {
  const stale = { ...catalogue, grok: { ...catalogue.grok, modelId: 'grok-unknown' } };
  const { google: _, ...fewer } = keys;
  const providers = createProviders({ catalogue: stale, keys: fewer, baseUrls: simulator.baseUrls });
  const found = await checkModels(providers, stale);
  expect(found).toEqual([
    { model: 'gemini', modelId: catalogue.gemini.modelId, reason: 'unauthorised' },
    { model: 'grok', modelId: 'grok-unknown', reason: 'unavailable (HTTP 404)' },
  ]);
  expect(JSON.stringify(found)).not.toContain(secretKey);
});
