import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { isApiKeyShaped } from '../../../purchase/api-key.js';
import { expectProblem } from '../../support/expect/expect-problem.js';
import { send } from '../../support/service/send.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { until } from '../../support/until.js';
import { useTestService } from '../../support/use-service.js';

const service = await useTestService({ worker: false });

const session = { as: 'session' } as const;
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const mint = (caller: TestCaller, name: unknown) => caller.post('/api/keys', { name }, session);
const list = async (caller: TestCaller) => (await caller.get('/api/keys', session)).body.keys;
const isLetIn = async (key: string) =>
  (await send(`${service.url}/api/credits/balance`, { headers: { 'x-api-key': key } })).status === 200;

describe('an API key', () => {
  test('is shown in full once, at its creation, and must not be cached', async () => {
    const caller = await service.newCaller();
    const minted = await mint(caller, '  the bot  ');
    expect(minted.status).toBe(201);
    expect(minted.headers.get('cache-control')).toContain('no-store');
    const { key, key_prefix } = minted.body;
    expect(minted.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'the bot',
      key_prefix,
      key,
      warning: expect.stringMatching(/\S/),
      created_at: timestamp,
    });
    expect(key).toMatch(/^pc_live_[0-9A-Za-z]{38,}$/);
    expect(isApiKeyShaped(key)).toBe(true);
    expect(key_prefix).toBe(key.slice(0, 12));
    expect(JSON.stringify(await list(caller))).not.toContain(key.slice(12, -1));
  });

  test('is listed newest first with name, prefix and last use', async () => {
    const caller = await service.newCaller();
    const { body: minted } = await mint(caller, 'second');
    const unused = { id: minted.id, name: 'second', key_prefix: minted.key_prefix, last_used_at: null };
    const first = { name: 'test', key_prefix: caller.key.slice(0, 12) };
    const keys = await list(caller);
    expect(keys).toEqual([
      { ...unused, created_at: minted.created_at },
      { ...first, id: expect.any(String), created_at: timestamp, last_used_at: null },
    ]);
    await caller.get('/api/credits/balance');
    const used = await until(
      'the use is noted',
      () => list(caller),
      keys => keys[1].last_used_at !== null,
    );
    expect(used[1].last_used_at).toEqual(timestamp);
    expect(used[0].last_used_at).toBeNull();
  });

  test('is stored as SHA-256 only', async () => {
    const caller = await service.newCaller();
    const { body } = await mint(caller, 'hashed');
    const row = await service.database.db
      .selectFrom('api_keys')
      .selectAll()
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    expect(row.key_hash).toEqual(createHash('sha256').update(body.key).digest());
    expect(JSON.stringify(row)).not.toContain(body.key.slice(12));
  });

  test('is refused from the first request after its revocation', async () => {
    const caller = await service.newCaller();
    const { body } = await mint(caller, 'short-lived');
    for (let look = 0; look < 5; look++) expect(await isLetIn(body.key)).toBe(true);
    const revoked = await caller.delete(`/api/keys/${body.id}`, session);
    expect(revoked).toMatchObject({ status: 204, body: null });
    expect(await isLetIn(body.key)).toBe(false);
    expectProblem(await caller.delete(`/api/keys/${body.id}`, session), 'not_found');
    const headers = { 'x-api-key': body.key };
    expectProblem(await send(`${service.url}/api/reports`, { headers }), 'unauthenticated');
    expectProblem(await send(`${service.url}/api/keys`, { headers }), 'unauthenticated');
    expect(await list(caller)).toHaveLength(1);
    expect(await isLetIn(caller.key)).toBe(true);
  });
});

describe('the name of a key', () => {
  test('can use any script and need not be unique', async () => {
    const caller = await service.newCaller();
    for (const name of ['机器人 №1 🎲', '机器人 №1 🎲'])
      expect((await mint(caller, name)).body.name).toBe('机器人 №1 🎲');
  });
});

describe('the limit of twenty live keys', () => {
  test('sixty concurrent requests create exactly twenty keys, and the others get key_limit_reached', async () => {
    const caller = await service.newCaller();
    const [{ id }] = await list(caller);
    await caller.delete(`/api/keys/${id}`, session);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => mint(caller, `key ${i}`)));
    const minted = answers.filter(({ status }) => status === 201);
    expect(minted).toHaveLength(20);
    for (const answer of answers) if (answer.status !== 201) expectProblem(answer, 'key_limit_reached');
    expect(await list(caller)).toHaveLength(20);
    expect(new Set(minted.map(({ body }) => body.key)).size).toBe(20);
    await caller.delete(`/api/keys/${minted[0]?.body.id}`, session);
    expect((await mint(caller, 'in its place')).status).toBe(201);
    expectProblem(await mint(caller, 'one too many'), 'key_limit_reached');
  });
});
