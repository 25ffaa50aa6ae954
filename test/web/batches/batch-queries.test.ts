import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { createApi } from '../../../web/api/create-api.js';
import { batchQuery } from '../../../web/batches/batch-queries.js';

const batch = { batch_id: 'b', status: 'running', rows: { running: 1 } };
const asked: unknown[] = [];
let version = '"1"';
let body: object = batch;
const server = createServer(({ headers }, response) => {
  asked.push([headers['if-none-match'], headers['prefer']]);
  if (headers['if-none-match'] === version) response.writeHead(304, { etag: version }).end();
  else response.writeHead(200, { etag: version }).end(JSON.stringify(body));
});
beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise(resolve => server.close(resolve)));

test('a batch is asked for with the version that the page has, and kept if it is still the same', async () => {
  const { port } = server.address() as AddressInfo;
  const api = createApi({ baseUrl: `http://127.0.0.1:${port}`, sessions: null });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 0 } } });
  const read = () => client.fetchQuery(batchQuery(api, 'b'));
  expect(await read()).toEqual({ batch, etag: '"1"' });
  expect(await read()).toEqual({ batch, etag: '"1"' });
  [version, body] = ['"2"', { ...batch, status: 'paused' }];
  expect(await read()).toEqual({ batch: { ...batch, status: 'paused' }, etag: '"2"' });
  [version, body] = ['"3"', {}];
  await expect(read()).rejects.toMatchObject({ code: 'unexpected_answer' });
  expect(asked).toEqual([
    [undefined, undefined],
    ['"1"', 'wait=5'],
    ['"1"', 'wait=5'],
    ['"2"', 'wait=5'],
  ]);
  client.clear();
});
