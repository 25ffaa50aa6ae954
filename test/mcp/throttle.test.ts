import { describe, expect, test } from '@jest/globals';
import { type Sent, send } from '../support/service/send.js';
import { hasManyAddresses } from '../support/service/send-from.js';
import { useTestService } from '../support/use-service.js';

const limitedTo = (requestsPerMinute: { credential?: number; address?: number }) =>
  useTestService({ worker: false, limits: { requestsPerMinute } });
const byCredential = await limitedTo({ credential: 20 });
const byAddress = await limitedTo({ address: 20 });

/** Calls a tool. */
const call = ({ url }: { url: string }, { headers, ...more }: Sent) =>
  send(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_pricing', arguments: {} },
    }),
    ...more,
  });

describe('a flood of tool calls', () => {
  test('by one credential is refused, counting the tools’ own requests, while others are served', async () => {
    const [caller, other] = [await byCredential.newCaller(100), await byCredential.newCaller(100)];
    const callWith = (headers: Record<string, string>) => call(byCredential, { headers });
    for (let index = 0; index < 10; index++)
      expect(await callWith({ 'x-api-key': caller.key })).toMatchObject({ status: 200 });
    // Ten calls are twenty requests: each call and its request to the API.
    const refused = await callWith({ authorization: `Bearer ${caller.key}` });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await callWith({ 'x-api-key': other.key })).status).toBe(200);
  });

  // The service calls itself from the second address. If those requests counted, nothing would be left.
  test.each(hasManyAddresses ? ['127.0.0.2', '127.0.0.1'] : ['127.0.0.1'])(
    'is counted by the caller’s address, not the service’s, and no forged header hides it: %s',
    async from => {
      for (let index = 0; index < 10; index++) expect((await call(byAddress, { from })).status).toBe(200);
      expect((await call(byAddress, { from })).status).toBe(429);
      const headers = { 'x-council-on-behalf-of': 'guess 10.0.0.1' };
      const pricing = await send(`${byAddress.url}/api/credits/pricing`, { from, headers });
      expect(pricing.status).toBe(429);
    },
  );
});
