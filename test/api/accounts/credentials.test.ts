import { describe, expect, test } from '@jest/globals';
import type { Access, Operation } from '../../../contract/operation.js';
import { operations } from '../../../contract/operations.js';
import { makeApiKey } from '../../../purchase/api-key.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import type { Answer } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false });
const caller = await service.newCaller(1_000);

type Headers = Record<string, string>;

const balance = (headers: Headers) => send(`${service.url}/api/credits/balance`, { headers });
const listKeys = (headers: Headers) => send(`${service.url}/api/keys`, { headers });

type Route = readonly [method: string, path: string, body?: string];

/** Every route that takes this kind of credential; its body is never read. */
const routesFor = (access: Access): readonly Route[] =>
  Object.values<Operation>(operations)
    .filter(operation => operation.access === access)
    .map(({ method, path, body }) => {
      const [verb, target] = [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1')];
      return body === undefined ? [verb, target] : [verb, target, '{}'];
    });

function ask([method, path, body]: Route, headers: Headers): Promise<Answer> {
  const typed: Headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return send(service.url + path, { method, headers: { ...typed, ...headers }, ...(body && { body }) });
}

describe('an API key', () => {
  test('is accepted in either header', async () => {
    expect((await balance({ 'x-api-key': caller.key })).body.balance_credits).toBe(1_000);
    expect((await balance({ authorization: `Bearer ${caller.key}` })).body.balance_credits).toBe(1_000);
    expect((await balance({ authorization: `bearer  ${caller.key}` })).status).toBe(200);
  });

  test('is not accepted as parameter, password or cookie', async () => {
    expectProblem(await send(`${service.url}/api/credits/balance?api_key=${caller.key}`), 'unauthenticated');
    for (const pair of [`${caller.key}:`, `user:${caller.key}`]) {
      const basic = `Basic ${Buffer.from(pair).toString('base64')}`;
      expectProblem(await balance({ authorization: basic }), 'unauthenticated');
    }
    expectProblem(await balance({ authorization: `Basic ${caller.key}` }), 'unauthenticated');
    expectProblem(await balance({ authorization: caller.key }), 'unauthenticated');
    expectProblem(await balance({ cookie: `api_key=${caller.key}` }), 'unauthenticated');
  });

  test('cannot create, list or revoke keys', async () => {
    for (const route of routesFor('session')) {
      expectProblem(await ask(route, { 'x-api-key': caller.key }), 'session_required');
      expectProblem(await ask(route, { authorization: `Bearer ${caller.key}` }), 'session_required');
    }
    expect((await caller.get('/api/keys', { as: 'session' })).body.keys).toHaveLength(1);
  });
});

describe('a session', () => {
  test('is the same account', async () => {
    const headers = { authorization: `Bearer ${caller.session}` };
    expect((await balance(headers)).body).toEqual((await caller.get('/api/credits/balance')).body);
  });

  test('is not accepted in the header for API keys', async () => {
    expectProblem(await balance({ 'x-api-key': caller.session }), 'unauthenticated');
    expectProblem(await listKeys({ 'x-api-key': caller.session }), 'unauthenticated');
  });

  test('does not rescue an invalid API key in the same request', async () => {
    const both = { 'x-api-key': 'pc_live_wrong', authorization: `Bearer ${caller.session}` };
    expectProblem(await balance(both), 'unauthenticated');
    expectProblem(await listKeys(both), 'unauthenticated');
  });
});

describe('an invalid credential gets 401 on every route that needs one', () => {
  const flip = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');
  const table: [what: string, headers: () => Headers][] = [
    ['none', () => ({})],
    ['an empty key', () => ({ 'x-api-key': '' })],
    ['an empty bearer', () => ({ authorization: 'Bearer ' })],
    ['two words', () => ({ authorization: 'Bearer one two' })],
    ['not a key', () => ({ 'x-api-key': 'nonsense' })],
    ['the prefix alone', () => ({ 'x-api-key': 'pc_live_' })],
    ['a key of another prefix', () => ({ 'x-api-key': caller.key.replace('live', 'test') })],
    ['a key that was cut', () => ({ 'x-api-key': caller.key.slice(0, -1) })],
    ['a key with a wrong checksum', () => ({ 'x-api-key': flip(caller.key) })],
    ['a key in capitals', () => ({ 'x-api-key': caller.key.toUpperCase() })],
    ['a key twice over', () => ({ 'x-api-key': `${caller.key}, ${caller.key}` })],
    ['a well-formed key that is nobody’s', () => ({ 'x-api-key': unknownKey() })],
    ['nobody’s key as a bearer', () => ({ authorization: `Bearer ${unknownKey()}` })],
    ['letters beyond ASCII', () => ({ authorization: 'Bearer \u00e9\u00e9\u00e9' })],
  ];

  test.each(table)('%s', async (_what, headers) => {
    for (const route of [...routesFor('anyone'), ...routesFor('session')]) {
      expectProblem(await ask(route, headers()), 'unauthenticated');
    }
  });

  test('the response contains no part of the credential', async () => {
    const key = unknownKey();
    const { body } = await balance({ 'x-api-key': key });
    expect(JSON.stringify(body)).not.toContain(key.slice('pc_live_'.length, -1));
  });

  test('prices, events and health need no credential', async () => {
    for (const path of ['/api/credits/pricing', '/api/events', '/api/events/sample-fed-cut-2031', '/healthz'])
      expect((await send(service.url + path)).status).toBe(200);
  });

  function unknownKey(): string {
    return makeApiKey(count => crypto.getRandomValues(new Uint8Array(count)));
  }
});
