import { request } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { send } from '../support/service/send.js';
import { startTestService, type TestService } from '../support/service/test-service.js';

let service: TestService;
afterEach(() => service.stop());

const message = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_pricing', arguments: {} },
});
const protocolHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const call = (headers: Record<string, string>) =>
  send(`${service.url}/mcp`, {
    method: 'POST',
    headers: { ...protocolHeaders, ...headers },
    body: message,
  });

/** @param localAddress from which of this machine's addresses */
function callFrom(localAddress: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: protocolHeaders, localAddress, agent: false };
    const outgoing = request(`${service.url}/mcp`, options, response => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('error', reject).end(message);
  });
}

/** Other systems have one loopback address by default. */
const onLinux = process.platform === 'linux' ? test : test.skip;

describe('a flood of tool calls', () => {
  test('by one credential is refused, counting the tools’ own requests, while others are served', async () => {
    service = await startTestService({
      worker: false,
      limits: { requestsPerMinute: { credential: 20 } },
    });
    const caller = await service.newCaller(100);
    const other = await service.newCaller(100);
    for (let index = 0; index < 10; index++) {
      expect(await call({ 'x-api-key': caller.key })).toMatchObject({ status: 200 });
    }
    // Ten calls are twenty requests: each call and its request to the API.
    const refused = await call({ authorization: `Bearer ${caller.key}` });
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call({ 'x-api-key': other.key })).status).toBe(200);
  });

  onLinux('is counted by the caller’s address, not the service’s', async () => {
    service = await startTestService({
      worker: false,
      limits: { requestsPerMinute: { address: 20 } },
    });
    for (let index = 0; index < 10; index++) expect(await callFrom('127.0.0.2')).toBe(200);
    expect(await callFrom('127.0.0.2')).toBe(429);
    // The service calls itself from this address. If those requests counted, nothing would be left.
    for (let index = 0; index < 10; index++) expect(await callFrom('127.0.0.1')).toBe(200);
    expect(await callFrom('127.0.0.1')).toBe(429);
  });

  test('cannot be hidden by forging the loopback header', async () => {
    service = await startTestService({
      worker: false,
      limits: { requestsPerMinute: { address: 5 } },
    });
    const statuses = [];
    for (let index = 0; index < 8; index++) {
      const headers = { 'x-council-on-behalf-of': `guess 10.0.0.${index}` };
      statuses.push((await send(`${service.url}/api/credits/pricing`, { headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  });
});
