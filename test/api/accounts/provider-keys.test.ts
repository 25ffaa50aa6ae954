import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { keyVendors } from '../../../council/models.js';
import { readSealedKeys } from '../../../db/accounts/provider-keys.js';
import { unseal } from '../../../platform/keys/seal.js';
import { expectInvalid, expectProblem } from '../../support/expect/expect-problem.js';
import type { Answer, TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

const keyRing = [{ kid: 'api', key: randomBytes(32) }];

const service = await useTestService({ worker: false, keyRing });

const session = { as: 'session' } as const;
const canary = 'sk-canary-0123456789';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const put = (caller: TestCaller, provider: string, key: unknown) =>
  caller.put(`/api/provider-keys/${provider}`, { key }, session);
const list = async (caller: TestCaller) =>
  (await caller.get('/api/provider-keys', session)).body.provider_keys;

function isNowhereKept({ headers }: Answer): void {
  expect(headers.get('cache-control')).toBe('private, no-store');
}

describe('a provider key', () => {
  test.each(keyVendors)(
    'for %s is stored, shown by its last four characters, and deleted',
    async provider => {
      const caller = await service.newCaller();
      const told = { provider, last4: '6789', updated_at: timestamp };
      const stored = await put(caller, provider, canary);
      expect(stored).toMatchObject({ status: 200, body: told });
      expect(Object.keys(stored.body).sort()).toEqual(['last4', 'provider', 'updated_at']);
      const shown = await caller.get(`/api/provider-keys/${provider}`, session);
      expect(shown).toMatchObject({ status: 200, body: stored.body });
      const listed = await caller.get('/api/provider-keys', session);
      expect(listed).toMatchObject({ status: 200, body: { provider_keys: [stored.body] } });
      const deleted = await caller.delete(`/api/provider-keys/${provider}`, session);
      expect(deleted).toMatchObject({ status: 204, body: null });
      for (const answer of [stored, shown, listed, deleted]) isNowhereKept(answer);
      expect(JSON.stringify([stored.body, shown.body, listed.body])).not.toContain('canary');
      expectProblem(await caller.get(`/api/provider-keys/${provider}`, session), 'not_found');
      expectProblem(await caller.delete(`/api/provider-keys/${provider}`, session), 'not_found');
      expect(await list(caller)).toEqual([]);
    },
  );

  test('replaces the previous key and is trimmed', async () => {
    const caller = await service.newCaller();
    await put(caller, 'openai', canary);
    const { body } = await put(caller, 'openai', '  sk-other-canary-abcd\n');
    expect(body.last4).toBe('abcd');
    expect(await list(caller)).toEqual([body]);
    const [key] = await readSealedKeys(service.database.db, caller.accountId);
    if (key === undefined) throw new Error('no key is stored');
    const place = { keyId: key.id, accountId: caller.accountId, provider: 'openai' };
    expect(unseal(keyRing, key, place)).toBe('sk-other-canary-abcd');
  });

  test('cannot be decrypted after a move to another account in the database', async () => {
    const [owner, thief] = [await service.newCaller(), await service.newCaller()];
    await put(owner, 'xai', canary);
    const move = 'update provider_keys set account_id = $1 where account_id = $2';
    await service.database.pool.query(move, [thief.accountId, owner.accountId]);
    const [key] = await readSealedKeys(service.database.db, thief.accountId);
    if (key === undefined) throw new Error('no key is stored');
    const place = { keyId: key.id, accountId: thief.accountId, provider: 'xai' };
    expect(() => unseal(keyRing, key, place)).toThrow('does not open');
  });
});

describe('an invalid key', () => {
  test.each<[what: string, body: unknown, fields: string[]]>([
    ['missing', {}, ['#/key']],
    ['too short', { key: 'canary7' }, ['#/key']],
    ['too long', { key: `canary${'x'.repeat(400)}` }, ['#/key']],
    ['two words', { key: 'sk-canary 0123456789' }, ['#/key']],
    ['not in ASCII', { key: 'sk-canary-schlüssel' }, ['#/key']],
    ['beside an unknown field', { key: canary, base_url: 'https://evil.example' }, ['#/base_url']],
    ['the whole body', JSON.stringify(canary), ['#']],
    ['in a body that is not JSON', `{"key": ${canary}}`, ['#']],
  ])('%s is refused, and not repeated', async (_what, body, fields) => {
    const caller = await service.newCaller();
    const answer = await caller.put('/api/provider-keys/openai', body, session);
    expectInvalid(answer, fields);
    isNowhereKept(answer);
    expect(JSON.stringify(answer.body)).not.toMatch(/canary/);
    expect(await list(caller)).toEqual([]);
  });

  test.each([8, 400])('with %i characters is accepted', async length => {
    const caller = await service.newCaller();
    expect((await put(caller, 'google', '~'.repeat(length))).status).toBe(200);
  });
});

describe('the routes of provider keys', () => {
  const calls = (caller: TestCaller, provider: string, as: 'key' | 'session' | 'nobody') => [
    caller.put(`/api/provider-keys/${provider}`, { key: canary }, { as }),
    caller.get(`/api/provider-keys/${provider}`, { as }),
    caller.delete(`/api/provider-keys/${provider}`, { as }),
  ];

  test('accept sessions only', async () => {
    const caller = await service.newCaller();
    for (const answer of await Promise.all([
      ...calls(caller, 'openai', 'key'),
      caller.get('/api/provider-keys'),
    ]))
      expectProblem(answer, 'session_required');
    for (const answer of await Promise.all(calls(caller, 'openai', 'nobody')))
      expectProblem(answer, 'unauthenticated');
    expect(await list(caller)).toEqual([]);
  });

  test.each(['mistral', 'OpenAI', 'openai%20', '__proto__', '%00', 'x'.repeat(300)])(
    'know no provider %s',
    async provider => {
      const caller = await service.newCaller();
      for (const answer of await Promise.all(calls(caller, provider, 'session')))
        expectProblem(answer, 'not_found');
    },
  );
});
