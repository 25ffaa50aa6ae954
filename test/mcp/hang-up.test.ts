import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { runningExample } from '../../api/openapi/examples/report.js';
import { handleMcpRequest } from '../../mcp/server/http.js';

test('a disconnected client’s API request is aborted', async () => {
  let asked = () => {};
  let letGo = () => {};
  const isAsked = new Promise<void>(resolve => (asked = resolve));
  const isLetGo = new Promise<void>(resolve => (letGo = resolve));
  // A service that says how far the report is, and then nothing any more.
  const service = createServer((request, response) => {
    if (request.headers['prefer'] === undefined) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(runningExample));
      return;
    }
    expect(request.headers['prefer']).toMatch(/^wait=(50|49)$/);
    response.once('close', letGo);
    asked();
  });
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve));
  const address = service.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const gone = new AbortController();

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
    disconnected: gone.signal,
    onError: error => expect(error).toBe('nothing'),
  });
  await isAsked;
  gone.abort();
  await isLetGo;
  expect(await answer.text()).toBe('');
  await new Promise(resolve => service.close(resolve));
});
