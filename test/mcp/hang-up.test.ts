import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { handleMcpRequest } from '../../mcp/server/http.js';
import { runningExample } from '../support/expect/examples.js';

test('a disconnected client’s API request is aborted', async () => {
  let markRequested = () => {};
  let markAborted = () => {};
  const requested = new Promise<void>(resolve => (markRequested = resolve));
  const aborted = new Promise<void>(resolve => (markAborted = resolve));
  // A service that returns the progress once and then never responds.
  const service = createServer((request, response) => {
    if (request.headers['prefer'] === undefined) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(runningExample));
      return;
    }
    expect(request.headers['prefer']).toMatch(/^wait=5$/);
    response.once('close', markAborted);
    markRequested();
  });
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const client = new AbortController();

  const answer = await handleMcpRequest({
    request: new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_report', arguments: { report_id: 1, wait_seconds: 50 } },
      }),
    }),
    api: { baseUrl: `http://127.0.0.1:${port}`, headers: {} },
    disconnected: client.signal,
    onError: error => expect(error).toBe('nothing'),
  });
  await requested;
  client.abort();
  await aborted;
  expect(await answer.text()).toBe('');
  service.closeAllConnections();
  await new Promise(resolve => service.close(resolve));
});
