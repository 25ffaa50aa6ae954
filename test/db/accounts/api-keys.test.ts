import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  findKeyHolder,
  listApiKeys,
  mintApiKey,
  recordKeyUse,
  revokeApiKey,
} from '../../../db/accounts/api-keys.js';
import { displayPrefix, makeApiKey } from '../../../purchase/api-key.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const network = '203.0.113.0/24';

const newKey = (accountId: string, now = noon) => {
  const key = makeApiKey(randomBytes);
  const keyHash = createHash('sha256').update(key).digest();
  return { id: randomUUID(), accountId, name: 'test', keyPrefix: displayPrefix(key), key, keyHash, now };
};

const minted = async (accountId: string, now = noon) => {
  const key = newKey(accountId, now);
  await mintApiKey(world.db, key);
  return key;
};

describe('an account holds at most twenty live keys', () => {
  test('even if sixty are minted concurrently', async () => {
    const accountId = await world.openAccount();
    const made = await inParallel(60, () => mintApiKey(world.db, newKey(accountId)));
    expect(made.filter(key => key !== null)).toHaveLength(20);
    expect(await listApiKeys(world.db, accountId, noon)).toHaveLength(20);
  });

  test('revoking one makes room for exactly one more, and a full account does not limit others', async () => {
    const accountId = await world.openAccount();
    await inParallel(21, () => mintApiKey(world.db, newKey(accountId)));
    expect(await mintApiKey(world.db, newKey(await world.openAccount()))).not.toBeNull();
    const [oldest] = await listApiKeys(world.db, accountId, noon);
    await revokeApiKey(world.db, accountId, oldest?.id ?? '', noon);
    const made = await inParallel(10, () => mintApiKey(world.db, newKey(accountId)));
    expect(made.filter(key => key !== null)).toHaveLength(1);
  });
});

describe('a revoked key', () => {
  test('is revoked once and by its account only, is rejected from the next lookup on, and stays revoked', async () => {
    const accountId = await world.openAccount();
    const { id, keyHash } = await minted(accountId);
    expect(await revokeApiKey(world.db, await world.openAccount(), id, noon)).toBe(false);
    expect(await findKeyHolder(world.db, keyHash)).toMatchObject({
      apiKeyId: id,
      accountId,
      lastUsedAt: null,
    });
    const revoked = await inParallel(10, () => revokeApiKey(world.db, accountId, id, noon));
    expect(revoked.filter(done => done)).toHaveLength(1);
    expect(await findKeyHolder(world.db, keyHash)).toBeNull();
    expect(await listApiKeys(world.db, accountId, noon)).toEqual([]);
    for (const value of ['null', `'2040-01-01'`]) {
      const revive = world.sql(`update api_keys set revoked_at = ${value} where id = $1`, [id]);
      await expect(revive).rejects.toThrow(/stays revoked/);
    }
  });

  test('cannot be minted again with the same secret', async () => {
    const accountId = await world.openAccount();
    const key = await minted(accountId);
    await revokeApiKey(world.db, accountId, key.id, noon);
    await expect(mintApiKey(world.db, { ...key, id: randomUUID() })).rejects.toThrow(/key_hash/);
  });
});

describe('the database stores only the hash of a key', () => {
  test('the row contains nothing of the key but its first twelve characters', async () => {
    const accountId = await world.openAccount();
    const { id, key, keyHash } = await minted(accountId);
    const [row] = await world.sql('select * from api_keys where id = $1', [id]);
    expect(row.key_hash).toEqual(keyHash);
    expect(row.key_prefix).toBe(key.slice(0, 12));
    expect(JSON.stringify(row)).not.toContain(key.slice(12));
  });

  test('a hash must be a SHA-256, and hash and account never change', async () => {
    const accountId = await world.openAccount();
    const short = { ...newKey(accountId), keyHash: Buffer.from('pc_live_in_plain_text') };
    await expect(mintApiKey(world.db, short)).rejects.toThrow(/key_hash/);
    const { id } = await minted(accountId);
    const other = await world.openAccount();
    for (const change of [`account_id = '${other}'`, 'key_hash = sha256(key_hash)']) {
      const rewrite = world.sql(`update api_keys set ${change} where id = $1`, [id]);
      await expect(rewrite).rejects.toThrow(/keeps its hash and its account/);
    }
  });
});

test('the last use of a key is the latest, also of forty at once, and never moves back', async () => {
  const accountId = await world.openAccount();
  const { id } = await minted(accountId);
  const lastUse = async () => (await listApiKeys(world.db, accountId, noon))[0]?.last_used_at;
  await inParallel(40, index =>
    recordKeyUse(world.db, id, { network, now: later({ seconds: (index * 7) % 40 }) }),
  );
  expect(await lastUse()).toEqual(later({ seconds: 39 }));
  await recordKeyUse(world.db, id, { network, now: later({ seconds: 1 }) });
  expect(await lastUse()).toEqual(later({ seconds: 39 }));
});

test('live keys are listed newest first, for the account only', async () => {
  const [accountId, other] = [await world.openAccount(), await world.openAccount()];
  const first = await minted(accountId);
  const second = await minted(accountId, later({ minutes: 1 }));
  await minted(other);
  expect((await listApiKeys(world.db, accountId, noon)).map(({ id }) => id)).toEqual([second.id, first.id]);
});

test('a network is new to a key once, also to forty uses at once, and only the newest are remembered', async () => {
  const accountId = await world.openAccount();
  const { id } = await minted(accountId);
  const use = (from: string, seconds: number) =>
    recordKeyUse(world.db, id, { network: from, now: later({ seconds }) });
  const news = await inParallel(40, index => use(network, index));
  expect(news.filter(each => each !== null)).toHaveLength(1);
  for (let site = 0; site < 25; site++) expect(await use(`10.0.${site}.0/24`, 50 + site)).not.toBeNull();
  const [{ networks_seen: seen }] = await world.sql('select networks_seen from api_keys where id = $1', [id]);
  expect(seen).toHaveLength(20);
  expect(seen[0]).toBe('10.0.24.0/24');
  expect(await use('10.0.24.0/24', 90)).toBeNull();
  expect((await listApiKeys(world.db, accountId, noon))[0]?.last_used_from).toBe('10.0.24.0/24');
});

test('the first network of a key that was used before networks were stored is no news', async () => {
  const accountId = await world.openAccount();
  const { id } = await minted(accountId);
  await world.sql('update api_keys set last_used_at = $2 where id = $1', [id, noon]);
  expect(await recordKeyUse(world.db, id, { network, now: later({ minutes: 5 }) })).toBeNull();
  const next = { network: '198.51.100.0/24', now: later({ minutes: 6 }) };
  expect(await recordKeyUse(world.db, id, next)).toMatchObject({ accountId });
});

test('the limits of a key never change', async () => {
  const { id } = await minted(await world.openAccount());
  for (const change of [`scope = 'read'`, 'expires_at = now()', 'max_credits_per_day = 5']) {
    await expect(world.sql(`update api_keys set ${change} where id = $1`, [id])).rejects.toThrow(
      /keeps its limits/,
    );
  }
});

test('an expired key is listed for some weeks, and makes room for another', async () => {
  const accountId = await world.openAccount();
  const limits = { scope: 'spend', expiresAt: later({ minutes: 1 }), maxCreditsPerDay: null } as const;
  await inParallel(20, () => mintApiKey(world.db, { ...newKey(accountId), limits }));
  expect(await mintApiKey(world.db, newKey(accountId))).toBeNull();
  expect(await mintApiKey(world.db, newKey(accountId, later({ minutes: 1 })))).not.toBeNull();
  expect(await listApiKeys(world.db, accountId, later({ minutes: 2 }))).toHaveLength(21);
  expect(await listApiKeys(world.db, accountId, later({ minutes: 60 * 24 * 31 }))).toHaveLength(1);
});
