import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keyVendors } from '../../council/models.js';
import { openAccount } from '../../db/accounts/accounts.js';
import { putProviderKey, readSealedKeys, type SealedKey } from '../../db/accounts/provider-keys.js';
import { readSigningSecrets } from '../../db/webhooks/secrets.js';
import { type EncryptionKey, formatKeyRing } from '../../platform/keys/key-ring.js';
import { type Sealed, seal, unseal } from '../../platform/keys/seal.js';
import { council, startCouncil } from '../support/service/council-command.js';
import { createTestDatabase } from '../support/service/test-database.js';
import { until } from '../support/until.js';
import { newEndpoint } from '../support/webhooks.js';

const older: EncryptionKey = { kid: 'older', key: randomBytes(32) };
const newer: EncryptionKey = { kid: 'newer', key: randomBytes(32) };
const lost: EncryptionKey = { kid: 'lost', key: randomBytes(32) };
const rotated = [newer, older];

const database = await createTestDatabase();
afterAll(() => database.drop());
beforeEach(() => database.pool.query('delete from provider_keys'));

const commandWith = (ring: readonly EncryptionKey[], args: readonly string[]) =>
  [
    ['provider-keys', 'rotate', ...args],
    { DATABASE_URL: database.url, ENCRYPTION_KEYS: formatKeyRing(ring) },
  ] as const;

/** As a process of its own, which can be killed. */
const startRotation = (ring: readonly EncryptionKey[]) => startCouncil(...commandWith(ring, []));

const rotate = (ring: readonly EncryptionKey[], ...args: string[]) => council(...commandWith(ring, args));

/** Accounts with a key of every provider each, encrypted with the first of the ring. */
async function storeKeys(ring: readonly EncryptionKey[], accounts: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: accounts }, async () => {
      const subject = randomUUID();
      const { id } = await openAccount(database.db, { issuer: 'test', subject, email: null, newId: subject });
      for (const provider of keyVendors) await store(ring, id, provider, clear(id, provider));
      return id;
    }),
  );
}

function store(
  ring: readonly EncryptionKey[],
  accountId: string,
  provider: SealedKey['provider'],
  key: string,
) {
  const id = randomUUID();
  const sealed = seal(ring, key, { keyId: id, accountId, provider }, randomBytes);
  return putProviderKey(database.db, { id, accountId, provider, sealed, last4: 'last', now: new Date() });
}

const clear = (accountId: string, provider: string) => `sk-canary-${accountId}-${provider}`;

function open(ring: readonly EncryptionKey[], key: SealedKey): string {
  const { id: keyId, accountId, provider } = key;
  return unseal(ring, key, { keyId, accountId, provider });
}

async function sealedWith(kid: string): Promise<number> {
  const { rows } = await database.pool.query(
    'select count(*)::int as keys from provider_keys where kid = $1',
    [kid],
  );
  return rows[0].keys;
}

describe('council provider-keys rotate', () => {
  test('re-encrypts every key that is not encrypted with the active one, and prints how many', async () => {
    const accounts = await storeKeys([older], 3);
    await storeKeys([newer], 1);
    const first = await rotate(rotated);
    expect(first).toMatchObject({ code: 0, err: expect.stringMatching(/^Remove the older keys from .+\n$/) });
    expect(first.out).toContain('Re-encrypted 15 provider keys with "newer".');
    for (const account of accounts) {
      const keys = await readSealedKeys(database.db, account);
      expect(keys).toHaveLength(5);
      for (const key of keys) expect(open([newer], key)).toBe(clear(account, key.provider));
    }
    const second = await rotate(rotated, '--json');
    expect(JSON.parse(second.out)).toEqual({
      active_kid: 'newer',
      resealed: 0,
      resealed_webhook_secrets: 0,
      unknown_kids: [],
      damaged: [],
    });
    expect(`${first.out}${second.out}`).not.toContain('canary');
  });

  test('re-encrypts the secrets of webhooks, too', async () => {
    const [accountId = ''] = await storeKeys([newer], 1);
    const url = 'https://hooks.example.com';
    const endpoint = await newEndpoint(database.db, [older], { accountId, url, types: ['webhook.test'] });
    const { out } = await rotate(rotated);
    expect(out).toContain('Re-encrypted 1 secrets of webhooks with "newer".');
    const [sealed] = await readSigningSecrets(database.db, endpoint.id, new Date());
    const place = { keyId: sealed?.id ?? '', accountId, provider: 'webhook' };
    expect(unseal([newer], sealed as Sealed, place)).toBe(endpoint.secret);
    expect(out).not.toContain(endpoint.secret);
  });

  test('killed halfway, leaves every key usable, and the next run does the rest', async () => {
    const accounts = await storeKeys([older], 300);
    const sessionsSince = async (time: Date) => {
      const others = `select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_start > $1`;
      return (await database.servicePool.query(others, [time])).rowCount;
    };
    const [{ now }] = (await database.servicePool.query('select now()')).rows;
    const { child, ended } = startRotation(rotated);
    await until(
      'some are done',
      () => sealedWith('newer'),
      done => done > 0,
    );
    child.kill('SIGKILL');
    await ended;
    // What it had sent is still executed.
    await until(
      'its sessions have ended',
      () => sessionsSince(now),
      count => count === 0,
    );
    const left = await sealedWith('older');
    expect(left).toBeGreaterThan(0);
    const { code, out } = await rotate(rotated, '--json');
    expect([code, JSON.parse(out).resealed]).toEqual([0, left]);
    expect(await sealedWith('older')).toBe(0);
    for (const account of accounts)
      for (const key of await readSealedKeys(database.db, account))
        expect(open([newer], key)).toBe(clear(account, key.provider));
  });

  test('run twice at the same time, while owners replace keys, loses no key', async () => {
    const accounts = await storeKeys([older], 60);
    const rotations = [rotate(rotated, '--json'), rotate(rotated, '--json')];
    await until(
      'some are done',
      () => sealedWith('newer'),
      done => done > 0,
    );
    // By an API process whose first key is not the new one yet.
    for (const account of accounts) await store([older], account, 'xai', `sk-replaced-${account}`);
    expect((await Promise.all(rotations)).map(({ code }) => code)).toEqual([0, 0]);
    expect((await rotate(rotated)).code).toBe(0);
    expect(await sealedWith('older')).toBe(0);
    for (const account of accounts)
      for (const key of await readSealedKeys(database.db, account)) {
        const replaced = key.provider === 'xai';
        expect(open([newer], key)).toBe(replaced ? `sk-replaced-${account}` : clear(account, key.provider));
      }
  });

  test('reports a key that is not in the ring, re-encrypts the others, and exits with 1', async () => {
    await storeKeys([older], 25);
    const [strange = ''] = await storeKeys([lost], 1);
    const before = await readSealedKeys(database.db, strange);
    const { code, out } = await rotate(rotated);
    expect(code).toBe(1);
    expect(out).toContain('Re-encrypted 125 provider keys');
    expect(out).toContain('5 are encrypted with "lost", which is not in ENCRYPTION_KEYS');
    expect(await sealedWith('older')).toBe(0);
    expect(await readSealedKeys(database.db, strange)).toEqual(before);
    const again = await rotate([...rotated, lost]);
    expect([again.code, await sealedWith('lost')]).toEqual([0, 0]);
  });

  test('reports a key that was moved to another account, and leaves it unusable there', async () => {
    const [owner = '', thief = ''] = await storeKeys([older], 2);
    await database.pool.query(`delete from provider_keys where account_id = $1 and provider = 'xai'`, [
      thief,
    ]);
    await database.pool.query(
      `update provider_keys set account_id = $1 where account_id = $2 and provider = 'xai'`,
      [thief, owner],
    );
    const { code, out } = await rotate(rotated, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      resealed: 8,
      resealed_webhook_secrets: 0,
      damaged: [{ account_id: thief, provider: 'xai' }],
    });
    const moved = (await readSealedKeys(database.db, thief)).find(({ kid }) => kid === 'older');
    expect((moved satisfies Sealed | undefined)?.kid).toBe('older');
  });
});
