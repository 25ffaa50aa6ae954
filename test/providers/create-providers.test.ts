import { afterEach, describe, expect, test } from '@jest/globals';
import { councilModels } from '../../council/models.js';
import { createProviders } from '../../providers/create-providers.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { adapters, cataloguePath, secretKey } from './catalogue.js';
import { failureOf } from './failure-of.js';
import { question } from './questions.js';
import { goodBody, startRawServer } from './vendors/raw-server.js';

const catalogue = loadModelCatalogue(cataloguePath);
const environment = { ...process.env };
afterEach(() => {
  process.env = { ...environment };
});

describe('createProviders', () => {
  test('returns a provider for each member; without a key, its calls are unauthorised', async () => {
    const providers = createProviders({ catalogue, keys: {}, baseUrls: {} });
    expect(Object.keys(providers).sort()).toEqual([...councilModels].sort());
    for (const member of councilModels) {
      const failure = await failureOf(providers[member].ask(question('opinion')));
      expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false, status: null });
    }
  });

  test.each(['', `${secretKey}\n`, `${secretKey} x`, 'schlüssel'])(
    'treats the key %j as missing, because `fetch` would quote it in an error',
    async key => {
      const keys = { openai: key, anthropic: key, google: key, xai: key };
      for (const held of [keys, { openrouter: key }]) {
        const providers = createProviders({ catalogue, keys: held, baseUrls: {} });
        for (const member of councilModels) {
          const failure = await failureOf(providers[member].ask(question('opinion')));
          expect(failure).toMatchObject({ kind: 'unauthorised', retryable: false });
        }
      }
    },
  );

  test('uses only the given keys, not the environment', async () => {
    const foreign = 'foreign-key';
    Object.assign(process.env, {
      OPENAI_API_KEY: foreign,
      OPENAI_ADMIN_KEY: foreign,
      OPENAI_ORG_ID: foreign,
      OPENAI_PROJECT_ID: foreign,
      OPENAI_BASE_URL: 'http://127.0.0.1:1/foreign',
      OPENAI_CUSTOM_HEADERS: `Authorization: Bearer ${foreign}`,
      ANTHROPIC_API_KEY: foreign,
      ANTHROPIC_AUTH_TOKEN: foreign,
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/foreign',
      ANTHROPIC_CUSTOM_HEADERS: `x-api-key: ${foreign}`,
      GEMINI_API_KEY: foreign,
      GOOGLE_API_KEY: foreign,
      OPENROUTER_API_KEY: foreign,
      OPENROUTER_BASE_URL: 'http://127.0.0.1:1/foreign',
    });
    for (const adapter of adapters) {
      const server = await startRawServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(goodBody(adapter, '{}')));
      });
      await server.providers[adapter].ask(question('opinion'));
      const headers = JSON.stringify(server.requests.map(request => request.headers));
      expect(headers).toContain(secretKey);
      expect(headers).not.toContain(foreign);
      await server.close();
    }
  });
});
