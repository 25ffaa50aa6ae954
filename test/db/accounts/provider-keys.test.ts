import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { KeyVendor } from '../../../council/models.js';
import { at } from '../../../council/numbers.js';
import {
  countKeysByKid,
  deleteProviderKey,
  listKeysNotSealedWith,
  listProviderKeys,
  listProvidersWithKey,
  putProviderKey,
  readSealedKeys,
  resealRow,
} from '../../../db/accounts/provider-keys.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

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
  const key = { id: randomUUID(), accountId, provider, sealed: sealedWith(kid), last4, now };
  return putProviderKey(world.db, key);
}

/** The key of a new account, sealed with an old encryption key. */
async function sealedKey() {
  const account = await world.openAccount();
  await put(account, 'openai', { kid: 'old' });
  return { account, from: at(await readSealedKeys(world.db, account), 0) };
}

describe('the keys of an account', () => {
  test('are listed with provider, last four characters and time only', async () => {
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

  test('are replaced by a row with a new id', async () => {
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

  test('are one per provider, even under concurrent writes', async () => {
    const account = await world.openAccount();
    await inParallel(20, () => put(account, 'openai'));
    expect(await listProvidersWithKey(world.db, account)).toEqual(['openai']);
  });

  test('are removed when deleted, and no other account’s', async () => {
    const [mine, theirs] = [await world.openAccount(), await world.openAccount()];
    await put(mine, 'openai');
    await put(theirs, 'openai');
    expect(await deleteProviderKey(world.db, mine, 'openai')).toBe(true);
    expect(await deleteProviderKey(world.db, mine, 'openai')).toBe(false);
    expect(await world.sql('select id from provider_keys where account_id = $1', [mine])).toEqual([]);
    expect(await listProvidersWithKey(world.db, theirs)).toEqual(['openai']);
  });

  test.each(['iv', 'tag'])('cannot have a truncated %s', async column => {
    const account = await world.openAccount();
    await put(account, 'openai');
    await expect(
      world.sql(`update provider_keys set ${column} = '\\x00112233' where account_id = $1`, [account]),
    ).rejects.toThrow(/check constraint/);
  });
});

describe('resealing', () => {
  test('lists in pages what another encryption key seals, and counts by key', async () => {
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

  test('changes the encryption key, and nothing that the owner sees', async () => {
    const { account, from } = await sealedKey();
    const to = sealedWith('new');
    const before = await listProviderKeys(world.db, account);
    expect(await resealRow(world.db, 'provider_keys', { id: from.id, from, to })).toBe(true);
    expect(await readSealedKeys(world.db, account)).toEqual([{ ...from, ...to }]);
    expect(await listProviderKeys(world.db, account)).toEqual(before);
  });

  test.each<[what: string, change: (account: string) => Promise<unknown>]>([
    ['replaced', account => put(account, 'openai', { kid: 'old' })],
    ['deleted', account => deleteProviderKey(world.db, account, 'openai')],
    ['resealed by another process', reseal],
  ])('does not touch a key that was %s in the meantime', async (_what, change) => {
    const { account, from } = await sealedKey();
    await change(account);
    const now = await readSealedKeys(world.db, account);
    expect(await resealRow(world.db, 'provider_keys', { id: from.id, from, to: sealedWith('new') })).toBe(
      false,
    );
    expect(await readSealedKeys(world.db, account)).toEqual(now);
  });

  async function reseal(account: string) {
    const key = at(await readSealedKeys(world.db, account), 0);
    await resealRow(world.db, 'provider_keys', { id: key.id, from: key, to: sealedWith('old') });
  }
});
