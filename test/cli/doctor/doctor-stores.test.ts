import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatKeyRing } from '../../../config/keys/key-ring.js';
import { council } from '../../support/service/council-command.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { createTestDatabase, type TestDatabase } from '../../support/service/test-database.js';
import { useOwnHome } from './own-home.js';
import { findingsOf, toldFindings } from './run-doctor.js';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const home = useOwnHome();

describe('council doctor, on a database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const urlWith = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  test.each([
    [
      'a wrong password',
      (url: URL) => (url.password = 'wrong'),
      'does not take the password',
      'DATABASE_URL',
    ],
    ['no such database', (url: URL) => (url.pathname = '/nowhere'), 'does not exist', 'createdb'],
    [
      'nobody there',
      (url: URL) => (url.port = '1'),
      'cannot be reached (ECONNREFUSED)',
      '`npm start` brings its own',
    ],
  ])('with %s, says so and what to do', async (_what, change, detail, next) => {
    const { code, by } = await findingsOf({
      COUNCIL_HOME: home.path,
      DATABASE_URL: urlWith(url => void change(url)),
    });
    expect(by('database')).toMatchObject({
      state: 'problem',
      detail: expect.stringContaining(detail),
      next: expect.stringContaining(next),
    });
    expect(code).toBe(1);
  });

  test('names the migrations that have not run, and those that are not of this release', async () => {
    const own = await createTestDatabase();
    await own.pool.query(`update kysely_migration set name = '9999-future' where name = '0007-record'`);
    const { code, all } = await findingsOf({ COUNCIL_HOME: home.path, DATABASE_URL: own.url });
    await own.pool.query('drop table kysely_migration');
    const never = await findingsOf({ COUNCIL_HOME: home.path, DATABASE_URL: own.url });
    await own.drop();
    expect(all.filter(({ check }) => check === 'database')).toMatchObject([
      { state: 'problem', detail: expect.stringContaining('0007-record'), next: 'Run `npm run migrate`.' },
      {
        state: 'problem',
        detail: expect.stringContaining('9999-future'),
        next: expect.stringContaining('release'),
      },
    ]);
    expect(code).toBe(1);
    expect(never.by('database')?.detail).toContain('0001-sessions');
  });

  test('holds the key ring against what is stored', async () => {
    const accountId = randomUUID();
    await database.pool.query(`insert into accounts (id, issuer, subject) values ($1, 'test', 'doctor')`, [
      accountId,
    ]);
    await database.pool.query(
      `insert into provider_keys (id, account_id, provider, kid, iv, tag, ciphertext, last4, updated_at)
       values (gen_random_uuid(), $1, 'openrouter', 'lost', $2, $3, $3, 'abcd', now())`,
      [accountId, Buffer.alloc(12), Buffer.alloc(16)],
    );
    const ring = (kid: string) => formatKeyRing([{ kid, key: randomBytes(32) }]);
    const env = { COUNCIL_HOME: home.path, DATABASE_URL: database.url };
    const lacking = await findingsOf({ ...env, ENCRYPTION_KEYS: ring('new') });
    expect(lacking.by('encryption_keys')).toMatchObject({
      state: 'problem',
      detail: 'stored provider keys are sealed with keys that are not here: 1 with "lost"',
    });
    expect(lacking.code).toBe(1);
    expect((await findingsOf(env)).by('encryption_keys')?.state).toBe('problem');
    expect((await findingsOf({ ...env, ENCRYPTION_KEYS: ring('lost') })).by('encryption_keys')?.state).toBe(
      'ok',
    );
  });
});

describe('council doctor, on a Temporal server', () => {
  const on = (namespace: string) => ({
    COUNCIL_HOME: home.path,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  });

  test('says that the namespace is missing, then what lacks in it, and then that nobody works there', async () => {
    const nowhere = await toldFindings(on('nowhere'));
    expect(nowhere.by('temporal')?.state).toBe('ok');
    expect(nowhere.by('temporal_manifest')).toMatchObject({
      state: 'problem',
      detail: 'there is no namespace nowhere',
      next: 'Make it: npm run council -- temporal apply',
    });
    expect(nowhere.by('worker')).toBeUndefined();
    expect(nowhere.code).toBe(1);

    const namespace = await ownNamespace();
    const empty = await toldFindings(on(namespace));
    expect(empty.by('temporal_manifest')).toMatchObject({
      state: 'problem',
      detail: expect.stringMatching(/missing in namespace .+: AccountId, .+, send-usage, /),
    });
    expect(empty.all.filter(({ check }) => check === 'temporal_manifest').at(-1)).toMatchObject({
      state: 'warning',
      detail: `not as temporal.yaml describes: ${namespace}`,
    });

    await council(['temporal', 'apply'], on(namespace));
    const idle = await toldFindings(on(namespace));
    expect(idle.by('temporal_manifest')).toMatchObject({ state: 'ok' });
    expect(idle.by('worker')).toMatchObject({
      state: 'warning',
      next: expect.stringContaining('npm run worker'),
    });
    expect(idle.code).toBe(0);
  });

  test('names a server that does not answer', async () => {
    const { code, by } = await toldFindings({ COUNCIL_HOME: home.path, TEMPORAL_ADDRESS: '127.0.0.1:1' });
    expect(by('temporal')).toMatchObject({
      state: 'problem',
      detail: 'Temporal at 127.0.0.1:1 cannot be reached.',
      next: expect.stringContaining('TEMPORAL_ADDRESS'),
    });
    expect(code).toBe(1);
  });
});
