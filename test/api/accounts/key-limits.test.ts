import { describe, expect, test } from '@jest/globals';
import type { Operation } from '../../../contract/operation.js';
import { operations } from '../../../contract/operations.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false, trustedProxies: ['127.0.0.1'] });
const caller = await service.newCaller(1_000);

const session = { as: 'session' } as const;
const minuteMs = 60_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

const mint = (limits: object, owner = caller) =>
  owner.post('/api/keys', { name: 'limited', ...limits }, session);
const list = async (owner: TestCaller) => (await owner.get('/api/keys', session)).body.keys;
const balance = (key: string, from?: string) =>
  send(`${service.url}/api/credits/balance`, {
    headers: { 'x-api-key': key, ...(from === undefined ? {} : { 'x-forwarded-for': from }) },
  });

describe('the limits of a new key', () => {
  test('are in its answer and in the list', async () => {
    const limits = { scope: 'read', expires_at: inMs(minuteMs), max_credits_per_day: 300 };
    const { status, body } = await mint(limits);
    expect(status).toBe(201);
    expect(body).toMatchObject({ ...limits, last_used_from: null });
    expect((await list(caller))[0]).toMatchObject({ id: body.id, ...limits, last_used_from: null });
  });

  test('take any offset, and are answered in UTC', async () => {
    const { body } = await mint({ expires_at: '2030-03-05T01:00:00+01:00' });
    expect(body.expires_at).toBe('2030-03-05T00:00:00.000Z');
  });

  test.each([
    ['an end in the past', { expires_at: inMs(-1_000) }, '#/expires_at'],
    ['an end too far away', { expires_at: inMs(5.1 * 365.25 * 86_400_000) }, '#/expires_at'],
    ['an end that is no time', { expires_at: 'tomorrow' }, '#/expires_at'],
    ['another scope', { scope: 'admin' }, '#/scope'],
    ['no credits', { max_credits_per_day: 0 }, '#/max_credits_per_day'],
    ['a part of a credit', { max_credits_per_day: 1.5 }, '#/max_credits_per_day'],
  ])('cannot be %s', async (_what, limits, pointer) => {
    const refused = await mint(limits);
    expectProblem(refused, 'invalid_request');
    expect(refused.body.errors).toMatchObject([{ pointer }]);
  });
});

describe('a key with the scope read', () => {
  test('reads, and is refused by every operation that spends, before its body is read', async () => {
    const { key } = (await mint({ scope: 'read' })).body;
    expect((await balance(key)).status).toBe(200);
    const spending = Object.values<Operation>(operations).filter(({ scope }) => scope === 'spend');
    expect(spending.map(({ path }) => path).sort()).toEqual([
      '/api/batches',
      '/api/batches/{id}',
      '/api/batches/{id}/retry',
      '/api/billing/checkout',
      '/api/reports',
    ]);
    for (const { method, path } of spending) {
      const headers = { 'content-type': 'application/json', 'x-api-key': key };
      const refused = await send(service.url + path, { method: method.toUpperCase(), headers, body: '{}' });
      expectProblem(refused, 'scope_insufficient');
    }
    expect(await caller.balance()).toBe(1_000);
  });

  test('may use nothing that changes something unless its operation says so', () => {
    for (const { method, access, scope } of Object.values<Operation>(operations))
      if (access === 'anyone' && method !== 'get') expect(scope).toBe('spend');
  });
});

test('a key is refused from the millisecond of its end on', async () => {
  const end = Date.now() + minuteMs;
  const { key } = (await mint({ expires_at: new Date(end).toISOString() })).body;
  service.clock.stoppedAtMs = end - 1;
  expect((await balance(key)).status).toBe(200);
  service.clock.stoppedAtMs = end;
  const refused = await balance(key);
  service.clock.stoppedAtMs = undefined;
  expectProblem(refused, 'unauthenticated');
  expect(refused.body.detail).toBe('The API key has expired.');
});

test('the list shows the network of the last use, and no address', async () => {
  const owner = await service.newCaller();
  const { body } = await mint({}, owner);
  const shown = async (network: string) => {
    const keys = await until(
      `${network} is shown`,
      () => list(owner),
      ([newest]) => newest.last_used_from === network,
    );
    expect(keys[0].last_used_at).not.toBeNull();
  };
  await balance(body.key, '203.0.113.77');
  await shown('203.0.113.0/24');
  await balance(body.key, '2001:db8:1:2::77');
  await shown('2001:db8:1::/48');
});
