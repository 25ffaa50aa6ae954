import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AnswerParsers } from '../../client/transport.js';
import { schemaParsers } from '../../contract/callers/answer-parsers.js';
import { createApi } from '../../web/api/create-api.js';

/** What a proxy or the service may answer, at the path with the number of the answer. */
const answers = [
  { status: 200, body: '{"entries":1}' },
  { status: 200, body: '<html>Sign in to the network</html>' },
  { status: 502, body: '<html>Bad gateway</html>' },
  { status: 502, body: '{"message":"no upstream"}' },
  { status: 404, body: '{"status":404,"code":"event_not_found","detail":"There is no such event."}' },
  { status: 204, body: '' },
] as const;

describe('without schemas, as in browsers', () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { status, body } = answers[Number(request.url?.split('/').at(-1))] ?? answers[2];
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  });
  const ask = (answer: number, validated: { parsers?: AnswerParsers } = {}) => {
    const { port } = server.address() as AddressInfo;
    const api = createApi({ baseUrl: `http://127.0.0.1:${port}`, ...validated, sessions: null });
    return api.request('GET /api/events/{event_id}', { path: { event_id: String(answer) } });
  };
  beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise(resolve => server.close(resolve)));

  test('an answer keeps its shape, and the server compares it with the schema', async () => {
    expect(await ask(0)).toEqual({ entries: 1 });
    await expect(ask(0, { parsers: schemaParsers })).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  test.each([1, 2, 3])('answer %i of a proxy is no answer of the service', async answer => {
    await expect(ask(answer)).rejects.toMatchObject({ code: 'unexpected_answer', document: null });
  });

  test('a problem of the service keeps its code and detail', async () => {
    await expect(ask(4)).rejects.toMatchObject({
      code: 'event_not_found',
      message: 'There is no such event.',
      document: { status: 404 },
    });
  });

  test('a response without a body is null, and parameters are encoded', async () => {
    const { port } = server.address() as AddressInfo;
    const api = createApi({ baseUrl: `http://127.0.0.1:${port}`, sessions: null });
    expect(await api.request('DELETE /api/keys/{key_id}', { path: { key_id: '5' } })).toBeNull();
    await api.request('GET /api/events', { query: { search: 'a&b', page: 1 } }).catch(() => null);
    await api.request('GET /api/events/{event_id}', { path: { event_id: 'a/b?' } }).catch(() => null);
    expect(requests.slice(-3)).toEqual([
      'DELETE /api/keys/5',
      'GET /api/events?search=a%26b&page=1',
      'GET /api/events/a%2Fb%3F',
    ]);
  });
});
