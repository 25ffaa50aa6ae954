import { describe, expect, test } from '@jest/globals';
import { councilModels } from '../../council/models.js';
import { createProviders } from '../../providers/create-providers.js';
import { loadModelCatalogue } from '../../providers/model-catalogue.js';
import { cataloguePath, secretKey } from './catalogue.js';
import { failureOf } from './failure-of.js';
import { question, searchQuestion } from './questions.js';

const catalogue = loadModelCatalogue(cataloguePath);

describe('createProviders', () => {
  test('returns a provider for each member; without a key, its calls are unauthorised', async () => {
    const providers = createProviders({ catalogue, keys: {}, baseUrls: {} });
    expect(Object.keys(providers).sort()).toEqual([...councilModels].sort());
    for (const member of councilModels) {
      const unauthorised = { kind: 'unauthorised', retryable: false, status: null };
      expect(await failureOf(providers[member].ask(question('opinion')))).toMatchObject(unauthorised);
      expect(await failureOf(providers[member].search(searchQuestion()))).toMatchObject(unauthorised);
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
});
