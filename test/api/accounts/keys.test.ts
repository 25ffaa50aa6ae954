import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Access, Operation } from '../../../contract/operation.js';
import { operations } from '../../../contract/operations.js';
import { isApiKeyShaped, makeApiKey } from '../../../purchase/api-key.js';
import { liveKeysPerAccount } from '../../../purchase/limits.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false });
const caller = await service.newCaller(1_000);

const session = { as: 'session' } as const;
const unlimited = { scope: 'spend', expires_at: null, max_credits_per_day: null, last_used_from: null };
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

type Headers = Record<string, string>;

const balance = (headers: Headers) => send(`${service.url}/api/credits/balance`, { headers });
const listKeys = (headers: Headers) => send(`${service.url}/api/keys`, { headers });
const mint = (owner: TestCaller, name: unknown) => owner.post('/api/keys', { name }, session);
const list = async (owner: TestCaller) => (await owner.get('/api/keys', session)).body.keys;
const isLetIn = async (key: string) => (await balance({ 'x-api-key': key })).status === 200;

describe('an API key', () => {
  test('is shown in full once, at its creation, must not be cached, and is stored as SHA-256', async () => {
    const owner = await service.newCaller();
    const minted = await mint(owner, '  the bot 机器人 №1 🎲 ');
    expect(minted.status).toBe(201);
    expect(minted.headers.get('cache-control')).toContain('no-store');
    const { id, key, key_prefix } = minted.body;
    expect(minted.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'the bot 机器人 №1 🎲',
      key_prefix,
      key,
      warning: expect.stringMatching(/\S/),
      created_at: timestamp,
      ...unlimited,
    });
    expect(key).toMatch(/^pc_live_[0-9A-Za-z]{38,}$/);
    expect(isApiKeyShaped(key)).toBe(true);
    expect(key_prefix).toBe(key.slice(0, 12));
    expect(JSON.stringify(await list(owner))).not.toContain(key.slice(12, -1));
    const { rows } = await service.database.pool.query('select * from api_keys where id = $1', [id]);
    expect(rows[0].key_hash).toEqual(createHash('sha256').update(key).digest());
    expect(JSON.stringify(rows)).not.toContain(key.slice(12));
  });

  test('is listed newest first with prefix, last use and a name that need not be unique', async () => {
    const owner = await service.newCaller();
    const { body: minted } = await mint(owner, 'test');
    const { key_prefix, created_at } = minted;
    const unused = { name: 'test', last_used_at: null, ...unlimited };
    const first = { key_prefix: owner.key.slice(0, 12), id: expect.any(String), created_at: timestamp };
    expect(await list(owner)).toEqual([
      { ...unused, id: minted.id, key_prefix, created_at },
      { ...unused, ...first },
    ]);
    await owner.get('/api/credits/balance');
    const used = await until(
      'the use is noted',
      () => list(owner),
      keys => keys[1].last_used_at !== null,
    );
    expect(used[1].last_used_at).toEqual(timestamp);
    expect(used[0].last_used_at).toBeNull();
  });

  test('is refused from the first request after its revocation', async () => {
    const owner = await service.newCaller();
    const { body } = await mint(owner, 'short-lived');
    for (let look = 0; look < 5; look++) expect(await isLetIn(body.key)).toBe(true);
    const revoked = await owner.delete(`/api/keys/${body.id}`, session);
    expect(revoked).toMatchObject({ status: 204, body: null });
    expect(await isLetIn(body.key)).toBe(false);
    expectProblem(await owner.delete(`/api/keys/${body.id}`, session), 'not_found');
    const headers = { 'x-api-key': body.key };
    expectProblem(await send(`${service.url}/api/reports`, { headers }), 'unauthenticated');
    expectProblem(await listKeys(headers), 'unauthenticated');
    expect(await list(owner)).toHaveLength(1);
    expect(await isLetIn(owner.key)).toBe(true);
  });

  test('is refused beyond twenty live ones', async () => {
    const owner = await service.newCaller();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => mint(owner, `key ${i}`)));
    const minted = answers.filter(({ status }) => status === 201);
    expect(new Set(minted.map(({ body }) => body.key)).size).toBe(liveKeysPerAccount - 1);
    for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'key_limit_reached');
    expect(await list(owner)).toHaveLength(liveKeysPerAccount);
    await owner.delete(`/api/keys/${minted[0]?.body.id}`, session);
    expect((await mint(owner, 'in its place')).status).toBe(201);
  });
});

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

describe('the credential of a request', () => {
  test('is an API key in either header', async () => {
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

  test('is no API key where keys are created, listed or revoked', async () => {
    for (const route of routesFor('session')) {
      expectProblem(await ask(route, { 'x-api-key': caller.key }), 'session_required');
      expectProblem(await ask(route, { authorization: `Bearer ${caller.key}` }), 'session_required');
    }
    expect(await list(caller)).toHaveLength(1);
  });

  test('is a session of the same account, but not in the header for API keys, nor beside an invalid one', async () => {
    const authorization = `Bearer ${caller.session}`;
    expect((await balance({ authorization })).body).toEqual((await caller.get('/api/credits/balance')).body);
    for (const headers of [
      { 'x-api-key': caller.session },
      { 'x-api-key': 'pc_live_wrong', authorization },
    ]) {
      expectProblem(await balance(headers), 'unauthenticated');
      expectProblem(await listKeys(headers), 'unauthenticated');
    }
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
