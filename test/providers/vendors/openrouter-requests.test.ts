import { describe, expect, test } from '@jest/globals';
import {
  crossReviewSchema,
  marketGapSchema,
  opinionSchema,
  synthesisSchema,
} from '../../../council/answers/answer-schemas.js';
import { councilModels } from '../../../council/models.js';
import type { JsonSchema } from '../../../providers/model-provider.js';
import { secretKey, shippedCatalogue, throughOpenRouter } from '../catalogue.js';
import { question } from '../questions.js';
import { useSimulator } from '../use-simulator.js';
import { goodBody } from './raw-server.js';
import { ok, useSearchServers } from './search/search-server.js';

const catalogue = shippedCatalogue();
const simulator = await useSimulator();

const serve = useSearchServers();

/** One request per member through OpenRouter. */
async function requestsOf(asked: ReturnType<typeof question>) {
  const server = await serve(ok(goodBody('openrouter', '{}')));
  const providers = throughOpenRouter({ openrouter: server.url });
  for (const member of councilModels) await providers[member].ask(asked);
  return server;
}

/** The simulator's response to a request without an adapter. */
function askSimulator(changes: object): Promise<Response> {
  const format = { name: 'synthesis', strict: true, schema: synthesisSchema() };
  return fetch(`${simulator.baseUrls.openrouter}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer any' },
    body: JSON.stringify({
      model: 'google/gemini-x',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'Will it rain?' }],
      response_format: { type: 'json_schema', json_schema: format },
      ...changes,
    }),
  });
}

describe('a request to OpenRouter', () => {
  test('names the member’s model, limits its answer and requires hosts that support schemas', async () => {
    const { bodies, requests } = await requestsOf(question('opinion'));
    expect(bodies.map(({ model }) => model)).toEqual(
      councilModels.map(member => catalogue[member].openRouterModelId),
    );
    for (const body of bodies) {
      expect(body).toMatchObject({ max_tokens: 4_000, provider: { require_parameters: true } });
      // No other fields, because a host must support every field of the request.
      expect(Object.keys(body).sort()).toEqual([
        'max_tokens',
        'messages',
        'model',
        'provider',
        'response_format',
      ]);
      expect(body.response_format).toMatchObject({ type: 'json_schema', json_schema: { strict: true } });
    }
    for (const { method, url, headers } of requests) {
      expect([method, url]).toEqual(['POST', '/chat/completions']);
      expect(headers.authorization).toBe(`Bearer ${secretKey}`);
    }
  });

  test('has no schema keyword that a vendor rejects, and keeps the descriptions', async () => {
    const { bodies } = await requestsOf({ ...question('opinion'), schema: opinionSchema(true) });
    for (const { response_format: format } of bodies) {
      const { schema } = format.json_schema;
      expect(JSON.stringify(schema)).not.toMatch(/"(minimum|maximum|minItems|maxItems|\$schema)"/);
      expect(schema.properties.confidence).toEqual({
        type: 'number',
        description: '100 minus the width of the range.',
      });
      expect(schema).toMatchObject({ additionalProperties: false, required: Object.keys(schema.properties) });
    }
  });

  test.each<readonly [string, JsonSchema]>([
    ['opinion', opinionSchema(true)],
    ['cross_review', crossReviewSchema(['A', 'B', 'C'], false)],
    ['synthesis', synthesisSchema()],
    ['market_gap', marketGapSchema()],
  ])('with the council’s schema of %s gets an answer from each member', async (schemaName, schema) => {
    const providers = throughOpenRouter(simulator.baseUrls);
    for (const member of councilModels) {
      const { text } = await providers[member].ask({ ...question('opinion'), schemaName, schema });
      const fields = Object.keys(JSON.parse(text));
      expect(fields.sort()).toEqual(Object.keys(Object(schema['properties'])).sort());
    }
  });
});

describe('the simulated OpenRouter', () => {
  test.each([
    ['a good question', {}, 200],
    ['a model outside the council', { model: 'meta-llama/llama-9' }, 400],
    ['a model without an author', { model: 'gemini-x' }, 400],
    ['an author without a model', { model: 'google/' }, 400],
    ['no bound', { max_tokens: undefined }, 400],
    ['a bound that few serve', { max_completion_tokens: 10 }, 400],
  ])('responds to %s as OpenRouter would', async (_, changes, status) => {
    const response = await askSimulator(changes);
    expect(response.status).toBe(status);
    if (status !== 200) {
      expect(await response.json()).toEqual({ error: { code: status, message: expect.any(String) } });
    }
  });

  test('rejects a schema that the strictest vendor would reject', async () => {
    for (const keyword of ['minimum', 'maxItems', 'uniqueItems']) {
      const schema = { ...synthesisSchema(), [keyword]: 1 };
      const json_schema = { name: 'synthesis', strict: true, schema };
      const response = await askSimulator({ response_format: { type: 'json_schema', json_schema } });
      expect(response.status).toBe(400);
    }
  });
});
