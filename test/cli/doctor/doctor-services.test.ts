import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CheckName } from '../../../cli/doctor/finding.js';
import { recordRunning } from '../../../cli/launch/running-service.js';
import { lockHome } from '../../../platform/embedded/home-lock.js';
import { formatKeyRing } from '../../../platform/keys/key-ring.js';
import { council } from '../../support/service/council-command.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { createTestDatabase, type TestDatabase } from '../../support/service/test-database.js';
import { testPort } from '../../support/test-port.js';
import { useTestService } from '../../support/use-service.js';
import { type Diagnosis, otherProgram, runDoctor, useOwnHome } from './doctor-support.js';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const home = useOwnHome();
const unreachable = '127.0.0.1:1';
const containing = (text: string) => expect.stringContaining(text);

const namespace = await ownNamespace();
const service = await useTestService({ namespace, worker: false });

describe('council doctor, with a running service', () => {
  /** What was found before the namespace was set up, and before a worker ran. */
  const before: Record<string, Diagnosis> = {};

  beforeAll(async () => {
    const temporal = (name: string) => ({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: name });
    before['no namespace'] = await runDoctor(temporal('nowhere'));
    before['empty'] = await runDoctor(temporal(namespace));
    expect((await council(['temporal', 'apply'], temporal(namespace))).code).toBe(0);
    before['no worker'] = await runDoctor(temporal(namespace));
    await service.startWorker();
  });

  /** The files that `npm start` leaves in a home while it runs. */
  async function running(url = service.url) {
    recordRunning(home.path, { url, databaseUrl: service.database.url, temporalAddress: address });
    return lockHome(home.path);
  }

  test('Temporal: reports a missing namespace, then what is missing in it, then that no worker runs', () => {
    const { 'no namespace': nowhere, empty, 'no worker': idle } = before;
    expect(nowhere?.ok).toBe(false);
    expect(nowhere?.finding('temporal')?.state).toBe('ok');
    expect(nowhere?.finding('temporal_manifest')).toMatchObject({
      state: 'problem',
      detail: 'there is no namespace nowhere',
      next: 'Create it: npm run council -- temporal apply',
    });
    expect(nowhere?.finding('worker')).toBeUndefined();
    expect(empty?.findings.filter(({ check }) => check === 'temporal_manifest')).toMatchObject([
      {
        state: 'problem',
        detail: expect.stringMatching(/missing in namespace .+: AccountId, .+, send-usage, /),
      },
      { state: 'warning', detail: `not as temporal.yaml describes: ${namespace}` },
    ]);
    expect(idle?.finding('temporal_manifest')?.state).toBe('ok');
    expect(idle?.finding('worker')).toMatchObject({ state: 'warning', next: containing('npm run worker') });
    expect(idle?.ok).toBe(true);
  });

  test.each<[what: string, CheckName, env: Record<string, string>, next: string]>([
    [
      'a Temporal server that does not answer',
      'temporal',
      { TEMPORAL_ADDRESS: unreachable },
      'TEMPORAL_ADDRESS',
    ],
    [
      'a rejected API key',
      'api_key',
      { COUNCIL_BASE_URL: service.url, COUNCIL_API_KEY: 'pc_live_wrong' },
      'keys mint',
    ],
    ['an address of another machine', 'port', { PORT: '41999', HOST: '192.0.2.1' }, 'Set HOST'],
  ])('reports %s, and says what to do', async (_what, check, env, next) => {
    const { ok, finding } = await runDoctor(env);
    expect(finding(check)).toMatchObject({ state: 'problem', next: containing(next) });
    if (check === 'temporal')
      expect(finding(check)?.detail).toBe(`Temporal at ${unreachable} cannot be reached.`);
    expect(ok).toBe(false);
  });

  test('finds all parts of the service on its own, and no problem', async () => {
    const lock = await running();
    const caller = await service.newCaller();
    const { ok, findings, finding } = await runDoctor({
      COUNCIL_HOME: home.path,
      PORT: new URL(service.url).port,
      TEMPORAL_NAMESPACE: namespace,
      COUNCIL_API_KEY: caller.key,
    });
    await lock.release();
    expect(findings.filter(({ state, check }) => state !== 'ok' && check !== 'payments')).toEqual([]);
    expect(ok).toBe(true);
    expect(finding('home')?.detail).toContain(`process ${process.pid}`);
    expect(finding('service')?.detail).toBe(`ready at ${service.url}`);
    expect(finding('api_key')?.detail).toBe('the service accepts COUNCIL_API_KEY');
    expect(finding('port')?.detail).toContain('in use by the service of this COUNCIL_HOME');
    expect(finding('database')?.detail).toMatch(/^PostgreSQL 1\d at .+, all migrations have run$/);
    expect(finding('temporal_manifest')?.detail).toContain(`namespace ${namespace}`);
    expect(finding('worker')?.detail).toMatch(/^\d polling /);
    expect(finding('clock')?.detail).toMatch(/^agrees with the database, 127/);
  });

  test('service: reports a process whose API does not answer', async () => {
    const lock = await running('http://127.0.0.1:1');
    const { ok, finding } = await runDoctor({ COUNCIL_HOME: home.path, TEMPORAL_NAMESPACE: namespace });
    await lock.release();
    expect(finding('service')).toMatchObject({
      state: 'problem',
      next: containing(`End process ${process.pid}`),
    });
    expect(ok).toBe(false);
  });

  test('service: finds an API that runs beside its worker as a process of its own, on its PORT', async () => {
    const caller = await service.newCaller();
    const { port } = new URL(service.url);
    const { findings, finding } = await runDoctor({
      DATABASE_URL: service.database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      PORT: port,
      COUNCIL_API_KEY: caller.key,
    });
    expect(finding('service')).toMatchObject({ state: 'ok', detail: `ready at ${service.url}` });
    expect(finding('api_key')?.detail).toBe('the service accepts COUNCIL_API_KEY');
    expect(finding('port')).toMatchObject({ state: 'ok', detail: `${port} is in use by the API` });
    expect(findings.filter(({ state, check }) => state !== 'ok' && check !== 'payments')).toEqual([]);
  });

  test('service: does not say that none runs where it has looked on one port only', async () => {
    const none = await runDoctor({
      DATABASE_URL: service.database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      PORT: String(await testPort()),
    });
    expect(none.finding('service')).toMatchObject({
      state: 'ok',
      detail: expect.stringMatching(/^none found at 127\.0\.0\.1:\d+; .*COUNCIL_BASE_URL/),
    });
    expect(JSON.stringify(none)).not.toContain('none runs here');
  });

  test('home: reports a killed service, and does not use the addresses it left', async () => {
    await (await running('http://127.0.0.1:1')).release();
    const { ok, finding } = await runDoctor({ COUNCIL_HOME: home.path });
    expect(finding('home')).toMatchObject({ state: 'warning', detail: containing('was killed') });
    expect(finding('service')?.detail).toContain('none found');
    expect(finding('database')?.detail).toContain('not configured');
    expect(ok).toBe(true);
  });

  test('home: reports a service that is still starting', async () => {
    const lock = await lockHome(home.path);
    const { finding } = await runDoctor({ COUNCIL_HOME: home.path });
    await lock.release();
    const detail = containing(`process ${process.pid} is starting or stopping`);
    expect(finding('home')).toMatchObject({ state: 'warning', detail });
  });

  test('ports: tells another council report service from another program', async () => {
    const beside = await runDoctor({ PORT: new URL(service.url).port });
    expect(beside.finding('port')?.detail).toContain('a council report service with another COUNCIL_HOME');
    const port = String(await otherProgram());
    const { ok, finding } = await runDoctor({ PORT: port, TEMPORAL_UI_PORT: port });
    expect(finding('port')).toMatchObject({
      state: 'warning',
      detail: `${port} is in use by another program`,
      next: containing('`npm start` uses another port'),
    });
    expect(finding('ui_port')).toMatchObject({ state: 'warning', next: containing('TEMPORAL_UI_PORT') });
    expect(ok).toBe(true);
  });

  test('ports: one in use is a problem for an API that is started alone', async () => {
    const external = { DATABASE_URL: service.database.url, TEMPORAL_ADDRESS: address };
    const alone = await runDoctor({
      ...external,
      TEMPORAL_NAMESPACE: namespace,
      PORT: String(await otherProgram()),
    });
    expect(alone.finding('port')).toMatchObject({
      state: 'problem',
      next: containing('`npm run api` cannot start'),
    });
    expect(alone.ok).toBe(false);
  });
});

describe('council doctor, on a database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test.each([
    [0, [{ state: 'ok', detail: 'agrees with the database' }]],
    [25_000, [{ state: 'ok' }]],
    [40_000, [{ state: 'warning', detail: 'this machine is 40 s ahead of the database' }]],
    [-3_600_000, [{ state: 'warning', detail: 'this machine is 3600 s behind the database' }]],
  ])(
    'compares the clock of this machine with that of the database: off by %d ms',
    async (offMs, expected) => {
      const { findings } = await runDoctor({ DATABASE_URL: database.url }, () => Date.now() + offMs);
      expect(findings.filter(({ check }) => check === 'clock')).toMatchObject(expected);
    },
  );

  test.each([
    ['a wrong password', { password: 'wrong' }, 'does not accept the password', 'DATABASE_URL'],
    ['no such database', { pathname: '/nowhere' }, 'does not exist', 'createdb'],
    ['no server', { port: '1' }, 'cannot be reached (ECONNREFUSED)', '`npm start` starts its own'],
  ])('reports %s, and says what to do', async (_what, change, detail, next) => {
    const url = Object.assign(new URL(database.url), change).href;
    const { ok, finding } = await runDoctor({ DATABASE_URL: url });
    expect(finding('database')).toMatchObject({
      state: 'problem',
      detail: containing(detail),
      next: containing(next),
    });
    expect(ok).toBe(false);
  });

  test('hears notifications at DATABASE_DIRECT_URL, and reports when none arrive', async () => {
    const elsewhere = await createTestDatabase();
    const listensAt = async (url: string) =>
      (await runDoctor({ DATABASE_URL: database.url, DATABASE_DIRECT_URL: url })).findings.filter(
        ({ check, state }) => check === 'database' && state === 'problem',
      );
    expect(await listensAt(database.url)).toEqual([]);
    const place = new URL(elsewhere.url).pathname;
    // As behind a pooler in transaction mode, the listener is connected and hears nothing.
    expect(await listensAt(elsewhere.url)).toMatchObject([
      { detail: containing(`no notification arrives at ${new URL(elsewhere.url).host}${place}`) },
    ]);
    const refused = Object.assign(new URL(database.url), { port: '1' }).href;
    expect(await listensAt(refused)).toMatchObject([{ next: containing('DATABASE_DIRECT_URL') }]);
    await elsewhere.drop();
  });

  test('reports stored provider keys that the encryption keys do not open', async () => {
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
    const check = async (more: Record<string, string>) =>
      (await runDoctor({ DATABASE_URL: database.url, ...more })).finding('encryption_keys');
    expect(await check({ ENCRYPTION_KEYS: ring('new') })).toMatchObject({
      state: 'problem',
      detail:
        'stored provider keys or webhook secrets are sealed with missing encryption keys: 1 with "lost"',
    });
    expect((await check({}))?.state).toBe('problem');
    expect((await check({ ENCRYPTION_KEYS: ring('lost') }))?.state).toBe('ok');
  });

  test('names the migrations that have not run, and those of a newer release', async () => {
    await database.pool.query(
      `update kysely_migration set name = '9999-future' where name = '0007-track-record'`,
    );
    const { ok, findings } = await runDoctor({ DATABASE_URL: database.url });
    expect(findings.filter(({ check }) => check === 'database')).toMatchObject([
      { state: 'problem', detail: containing('0007-track-record'), next: 'Run `npm run migrate`.' },
      { state: 'problem', detail: containing('9999-future'), next: containing('release') },
    ]);
    expect(ok).toBe(false);
    await database.pool.query('drop table kysely_migration');
    const never = await runDoctor({ DATABASE_URL: database.url });
    expect(never.finding('database')?.detail).toContain('0001-auth');
  });
});
