import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { checkModels } from '../../providers/check-models.js';
import { createProviders } from '../../providers/create-providers.js';
import { allKeys, secretKey, shippedCatalogue } from './catalogue.js';
import { useSimulator } from './use-simulator.js';
import { json, useRawServers } from './vendors/raw-server.js';

const simulator = await useSimulator();
const serve = useRawServers();
const catalogue = shippedCatalogue();
const asOf = '2031-03-05T12:00:00Z';
const stale = { ...catalogue, grok: { ...catalogue.grok, modelId: 'grok-unknown' } };
const grok = { model: 'grok', modelId: 'grok-unknown', reason: 'unavailable (HTTP 404)' };

test('models that the vendors know are not listed, and no paid call is made', async () => {
  const providers = createProviders({ catalogue, keys: allKeys, baseUrls: simulator.baseUrls });
  expect(await checkModels(providers, catalogue, asOf)).toEqual([]);
  expect(simulator.calls).toEqual([]);
});

test('a retired model id and a missing key are detected before the first report', async () => {
  const { google: _, ...fewer } = allKeys;
  const providers = createProviders({ catalogue: stale, keys: fewer, baseUrls: simulator.baseUrls });
  const found = await checkModels(providers, stale, asOf);
  expect(found).toEqual([
    { model: 'gemini', modelId: catalogue.gemini.modelId, reason: 'unauthorised' },
    grok,
  ]);
  expect(JSON.stringify(found)).not.toContain(secretKey);
});

/** A gateway that passes on questions only, and answers everything else as `refuse` does. */
async function startGateway(refuse: RequestListener) {
  const passOn = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = new Headers(
      Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && !hopByHop.has(name) ? [[name, value]] : [],
      ),
    );
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(simulator.url + request.url, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  };
  return serve((request, response) => {
    if (request.method === 'POST') void passOn(request, response);
    else refuse(request, response);
  });
}

const hopByHop = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding']);

test.each([
  ['404', json(404, { detail: 'Not Found' })],
  ['405', json(405, { detail: 'Method Not Allowed' })],
  [
    '403, as for a key that may only ask',
    json(403, { error: { message: 'Missing scopes: api.model.read' } }),
  ],
  ['a page', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
] as [string, RequestListener][])(
  'a model that answers is not listed, though its gateway does not look up models: %s',
  async (_what, refuse) => {
    const gateway = await startGateway(refuse);
    const baseUrls = Object.fromEntries(
      Object.entries(simulator.baseUrls).map(([vendor, url]) => [
        vendor,
        url.replace(simulator.url, gateway.url),
      ]),
    );
    const providers = createProviders({ catalogue: stale, keys: allKeys, baseUrls });
    expect(await checkModels(providers, stale, asOf)).toEqual([grok]);
  },
);
