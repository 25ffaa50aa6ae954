import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { pino } from 'pino';
import { makeApiKey } from '../../purchase/api-key.js';
import { bodyMaxBytes } from '../../purchase/limits.js';
import { expectProblem } from '../support/expect/expect-problem.js';
import { type Sent, send } from '../support/service/send.js';
import { startTestService } from '../support/service/test-service.js';
import { useTestService } from '../support/use-service.js';
import { ToolUser } from './support/clients.js';

const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
const service = await useTestService({ log, worker: false });
const caller = await service.newCaller(1_000);

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

const callTool = { ...listTools, method: 'tools/call', params: { name: 'get_pricing', arguments: {} } };
const forgedKey = () => makeApiKey(count => randomBytes(count));
const bearerOfSession = { authorization: `Bearer ${caller.session}` };

const protocolHeaders = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

function post(message: unknown, more: Sent = {}, to = service) {
  return send(`${to.url}/mcp`, {
    method: 'POST',
    body: typeof message === 'string' ? message : JSON.stringify(message),
    ...more,
    headers: { ...protocolHeaders, ...more.headers },
  });
}

const resultOf = (body: unknown) => JSON.parse(/^data: (.*)$/m.exec(String(body))?.[1] ?? 'null')?.result;

describe('/mcp', () => {
  test('speaks the protocol with the request’s id and stores nothing', async () => {
    const { status, headers, body } = await post(initialize);
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/event-stream' });
    expect(resultOf(body).serverInfo.name).toBe('council-report');
    expect(headers.get('x-request-id')).toMatch(/\S{8,}/);
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(headers.get('cache-control')).toMatch(/no-store|no-cache/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('handles every message statelessly, in any process', async () => {
    const second = await startTestService({ database: service.database, worker: false });
    try {
      await post(initialize);
      const { status, body } = await post(listTools, {}, second);
      expect(status).toBe(200);
      expect(resultOf(body).tools).toHaveLength(7);
      const note = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, {}, second);
      expect([note.status, note.body]).toEqual([202, null]);
    } finally {
      await second.stop();
    }
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['an API key as bearer', { authorization: `Bearer ${caller.key}` }],
    ['an API key by itself', { 'x-api-key': caller.key }],
    ['a session', { authorization: `Bearer ${caller.session}` }],
  ])('authenticates %s as its account', async (_what, headers) => {
    const user = await ToolUser.overHttp(service.url, headers);
    const check = await user.call('check_report', { event_id: 'sample-fed-cut-2031' });
    expect(check.data).toMatchObject({ balance_credits: 1_000 });
    await user.close();
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['an unknown key', { authorization: `Bearer ${forgedKey()}` }],
    ['a key that is cut off', { 'x-api-key': caller.key.slice(0, -1) }],
    ['an empty key', { 'x-api-key': '' }],
    ['a session as a key', { 'x-api-key': caller.session }],
    ['a session that was changed', { authorization: `Bearer ${caller.session}x` }],
    ['a credential of another kind', { authorization: 'Basic dXNlcjpwYXNzd29yZA==' }],
    ['a bad key beside a session', { ...bearerOfSession, 'x-api-key': 'pc_live_' }],
  ])('refuses %s with 401 at every method, and the official client says so', async (_what, headers) => {
    const unknown = { ...listTools, method: 'nothing/such' };
    for (const message of [initialize, listTools, callTool, unknown, '{"jsonrpc":'])
      expectProblem(await post(message, { headers }), 'unauthenticated');
    for (const method of ['GET', 'DELETE', 'PUT'])
      expectProblem(await send(`${service.url}/mcp`, { method, headers }), 'unauthenticated');
    await expect(ToolUser.overHttp(service.url, headers)).rejects.toMatchObject({
      code: 401,
      message: expect.stringContaining('"code":"unauthenticated"'),
    });
  });

  test('asks a client that can sign in to do so', async () => {
    let asked = 0;
    const authProvider: any = {
      clientMetadata: {},
      tokens: () => ({ access_token: forgedKey(), token_type: 'bearer' }),
      clientInformation: () => {
        asked++;
        throw new Error('nobody signs in here');
      },
    };
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { authProvider });
    await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow('nobody');
    expect(asked).toBe(1);
  });

  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('refuses %s with Allow: POST', async method => {
    const { status, headers, body } = await send(`${service.url}/mcp`, {
      method,
      headers: { accept: 'text/event-stream' },
    });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'POST' });
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) }, id: null });
  });

  test.each([
    ['is not JSON', '{"jsonrpc":', {}, 400, { error: { code: -32_700 } }],
    ['is no message of the protocol', '{"hello":1}', {}, 400, { error: { code: -32_700 } }],
    ['is a batch', JSON.stringify([listTools]), {}, 400, { error: { code: -32_600 } }],
    ['is an empty batch', '[]', {}, 400, { error: { code: -32_600 } }],
    ['is empty', '', {}, 400, { error: { code: -32_700 } }],
    ['is of another type', '{}', { 'content-type': 'text/plain' }, 415, { error: { code: -32_000 } }],
    ['cannot be answered to', '{}', { accept: 'text/html' }, 406, { error: { code: -32_000 } }],
    [
      'is of an unknown version',
      JSON.stringify(listTools),
      { 'mcp-protocol-version': '1999-01-01' },
      400,
      {},
    ],
  ])('refuses what %s', async (_what, message, headers, status, body) => {
    const answer = await post(message, { headers });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, ...body });
  });

  test('refuses a body that is too large', async () => {
    const answer = await post({ ...initialize, filler: 'x'.repeat(bodyMaxBytes) });
    expectProblem(answer, 'payload_too_large');
  });

  test('logs neither a key nor a session', async () => {
    for (const authorization of [`Bearer ${caller.key}`, `Bearer ${caller.session}`]) {
      const params = { name: 'check_report', arguments: { event_id: 'x' } };
      await post({ ...callTool, params }, { headers: { authorization } });
    }
    expect(logged.join('')).toContain('"route":"/mcp"');
    expect(logged.join('')).not.toContain(caller.key);
    expect(logged.join('')).not.toContain(caller.session);
  });
});

describe('a browser page', () => {
  test.each([
    ['of another origin', 'http://evil.example', null],
    ['of this machine, but another port', 'http://127.0.0.1:1', null],
    ['whose name was made to point here', 'http://evil.example:3000', 'evil.example:3000'],
    ['whose name it also states as the host', 'https://evil.example', 'evil.example'],
    ['of another scheme', service.url.replace('http:', 'https:'), null],
    ['without an origin that can be told', 'null', null],
    ['with nonsense for an origin', '::::', null],
  ])('%s is refused', async (_what, origin, as) => {
    const { status, body, headers } = await post(listTools, {
      headers: { origin, ...(as === null ? {} : { host: as }) },
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      error: { message: expect.stringContaining('other origins') },
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['of this very address', { origin: service.url }],
    ['of another local name of this address', { origin: service.url.replace('127.0.0.1', 'localhost') }],
    ['of this address through a proxy with another host', { origin: service.url, host: 'api:3000' }],
  ])('%s is served', async (_what, headers) => {
    expect((await post(listTools, { headers })).status).toBe(200);
  });
});
