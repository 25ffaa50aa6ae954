import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { KeyVendor } from '../../../council/models.js';
import {
  countKeysByKid,
  deleteProviderKey,
  listKeysNotSealedWith,
  listProviderKeys,
  listProvidersWithKey,
  putProviderKey,
  readSealedKeys,
  resealProviderKey,
} from '../../../db/accounts/provider-keys.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

function sealedWith(kid = 'k1') {
  return { kid, iv: randomBytes(12), tag: randomBytes(16), ciphertext: randomBytes(20) };
}

function put(
  accountId: string,
  provider: KeyVendor,
  more: { kid?: string; last4?: string; now?: Date } = {},
) {
  const { kid, last4 = 'wxyz', now = noon } = more;
  return putProviderKey(world.db, {
    id: randomUUID(),
    accountId,
    provider,
    sealed: sealedWith(kid),
    last4,
    now,
  });
}

describe('the keys of an account', () => {
  test('are told by provider, last four characters and time, and by nothing else', async () => {
    const [mine, theirs] = [await world.openAccount(), await world.openAccount()];
    await put(mine, 'xai', { last4: 'aaaa' });
    await put(mine, 'anthropic', { last4: 'bbbb', now: later({ hours: 1 }) });
    await put(theirs, 'openai');
    expect(await listProviderKeys(world.db, mine)).toEqual([
      { provider: 'anthropic', last4: 'bbbb', updatedAt: later({ hours: 1 }) },
      { provider: 'xai', last4: 'aaaa', updatedAt: noon },
    ]);
    expect(await listProvidersWithKey(world.db, mine)).toEqual(['anthropic', 'xai']);
    expect(await listProvidersWithKey(world.db, await world.openAccount())).toEqual([]);
    expect((await readSealedKeys(world.db, theirs)).map(key => key.accountId)).toEqual([theirs]);
  });

  test('are replaced by a new row with an id of its own', async () => {
    const account = await world.openAccount();
    await put(account, 'google', { last4: 'old4' });
    const [before] = await readSealedKeys(world.db, account);
    await put(account, 'google', { last4: 'new4', now: later({ hours: 1 }) });
    const after = await readSealedKeys(world.db, account);
    expect(after).toHaveLength(1);
    expect(after[0]?.id).not.toBe(before?.id);
    expect(await listProviderKeys(world.db, account)).toEqual([
      { provider: 'google', last4: 'new4', updatedAt: later({ hours: 1 }) },
    ]);
  });

  test('are one a provider, however many are stored at once', async () => {
    const account = await world.openAccount();
    await Promise.all(Array.from({ length: 20 }, () => put(account, 'openai')));
    expect(await listProvidersWithKey(world.db, account)).toEqual(['openai']);
  });

  test('are gone once deleted, and nobody else’s with them', async () => {
    const [mine, theirs] = [await world.openAccount(), await world.openAccount()];
    await put(mine, 'openai');
    await put(theirs, 'openai');
    expect(await deleteProviderKey(world.db, mine, 'openai')).toBe(true);
    expect(await deleteProviderKey(world.db, mine, 'openai')).toBe(false);
    expect(await world.sql('select id from provider_keys where account_id = $1', [mine])).toEqual([]);
    expect(await listProvidersWithKey(world.db, theirs)).toEqual(['openai']);
  });

  test.each(['iv', 'tag'])('have no cut %s, whoever writes them', async column => {
    const account = await world.openAccount();
    await put(account, 'openai');
    await expect(
      world.sql(`update provider_keys set ${column} = '\\x00112233' where account_id = $1`, [account]),
    ).rejects.toThrow(/check constraint/);
  });
});

describe('sealing anew', () => {
  test('finds page by page what is sealed with any other key, and counts by key', async () => {
    await world.sql('delete from provider_keys');
    const account = await world.openAccount();
    const providers = ['openai', 'anthropic', 'google', 'xai', 'openrouter'] as const;
    for (const provider of providers)
      await put(account, provider, { kid: provider === 'xai' ? 'new' : 'old' });
    expect(await countKeysByKid(world.db)).toEqual([
      { kid: 'new', keys: 1 },
      { kid: 'old', keys: 4 },
    ]);
    const first = await listKeysNotSealedWith(world.db, 'new', { after: null, limit: 3 });
    const rest = await listKeysNotSealedWith(world.db, 'new', { after: first.at(-1)?.id ?? '', limit: 3 });
    expect([first.length, rest.length]).toEqual([3, 1]);
    const found = [...first, ...rest];
    expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => id).toSorted());
    expect(new Set(found.map(({ provider }) => provider))).toEqual(
      new Set(['openai', 'anthropic', 'google', 'openrouter']),
    );
  });

  test('changes what the key is sealed with, and nothing that its owner sees', async () => {
    const account = await world.openAccount();
    await put(account, 'openai', { kid: 'old' });
    const [from] = await readSealedKeys(world.db, account);
    if (from === undefined) throw new Error('no key');
    const to = sealedWith('new');
    const before = await listProviderKeys(world.db, account);
    expect(await resealProviderKey(world.db, { id: from.id, from, to })).toBe(true);
    expect(await readSealedKeys(world.db, account)).toEqual([{ ...from, ...to }]);
    expect(await listProviderKeys(world.db, account)).toEqual(before);
  });

  test.each<[what: string, meanwhile: (account: string) => Promise<unknown>]>([
    ['replaced', account => put(account, 'openai', { kid: 'old' })],
    ['deleted', account => deleteProviderKey(world.db, account, 'openai')],
    ['sealed anew by another', reseal],
  ])('leaves a key alone that was %s meanwhile', async (_what, meanwhile) => {
    const account = await world.openAccount();
    await put(account, 'openai', { kid: 'old' });
    const [from] = await readSealedKeys(world.db, account);
    if (from === undefined) throw new Error('no key');
    await meanwhile(account);
    const now = await readSealedKeys(world.db, account);
    expect(await resealProviderKey(world.db, { id: from.id, from, to: sealedWith('new') })).toBe(false);
    expect(await readSealedKeys(world.db, account)).toEqual(now);
  });

  async function reseal(account: string) {
    const [key] = await readSealedKeys(world.db, account);
    if (key === undefined) throw new Error('no key');
    await resealProviderKey(world.db, { id: key.id, from: key, to: sealedWith('old') });
  }
});
