import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { noteRunning } from '../../../cli/launch/running-service.js';
import { lockHome } from '../../../embedded/home-lock.js';
import { council } from '../../support/service/council-command.js';
import { ownNamespace } from '../../support/service/own-namespace.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';
import { useOwnHome } from './own-home.js';
import { findingsOf, toldFindings } from './run-doctor.js';
import { stranger } from './stranger.js';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const home = useOwnHome();

describe('council doctor, beside a service that runs', () => {
  let service: TestService;
  let namespace: string;

  beforeAll(async () => {
    namespace = await ownNamespace();
    const temporal = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    expect((await council(['temporal', 'apply'], temporal)).code).toBe(0);
    service = await startTestService({ namespace });
  });
  afterAll(() => service.stop());

  /** As `npm start` leaves it on a home. */
  async function running(more: { url?: string } = {}) {
    noteRunning(home.path, {
      url: more.url ?? service.url,
      databaseUrl: service.database.url,
      temporalAddress: address,
    });
    return lockHome(home.path);
  }

  test('finds all of it by itself, and nothing broken', async () => {
    const lock = await running();
    const caller = await service.newCaller();
    const { code, all, by } = await toldFindings({
      COUNCIL_HOME: home.path,
      PORT: new URL(service.url).port,
      TEMPORAL_NAMESPACE: namespace,
      COUNCIL_API_KEY: caller.key,
    });
    await lock.release();
    expect(all.filter(({ state, check }) => state !== 'ok' && check !== 'payments')).toEqual([]);
    expect(code).toBe(0);
    expect(by('home')?.detail).toContain(`process ${process.pid}`);
    expect(by('service')?.detail).toBe(`ready at ${service.url}`);
    expect(by('api_key')?.detail).toBe('COUNCIL_API_KEY is taken');
    expect(by('port')?.detail).toContain('held by the service of this COUNCIL_HOME');
    expect(by('database')?.detail).toMatch(/^PostgreSQL 1\d at .+, every migration has run$/);
    expect(by('temporal_manifest')?.detail).toContain(`namespace ${namespace}`);
    expect(by('worker')?.detail).toContain('asking for work');
    expect(by('clock')?.detail).toMatch(/^agrees with the database, 127/);
  });

  test('says that an API key is not taken, and how to get one', async () => {
    const { code, by } = await findingsOf({
      COUNCIL_HOME: home.path,
      COUNCIL_BASE_URL: service.url,
      COUNCIL_API_KEY: 'pc_live_wrong',
    });
    expect(code).toBe(1);
    expect(by('api_key')).toMatchObject({ state: 'problem', next: expect.stringContaining('keys mint') });
  });

  test('says when an API does not answer, though its process is there', async () => {
    const lock = await running({ url: 'http://127.0.0.1:1' });
    const { code, by } = await toldFindings({ COUNCIL_HOME: home.path, TEMPORAL_NAMESPACE: namespace });
    await lock.release();
    expect(code).toBe(1);
    expect(by('service')).toMatchObject({
      state: 'problem',
      next: expect.stringContaining(`End process ${process.pid}`),
    });
  });

  test('tells a killed service from one that runs, and takes no address from its note', async () => {
    noteRunning(home.path, {
      url: 'http://127.0.0.1:1',
      databaseUrl: 'postgres://u:p@127.0.0.1:1/x',
      temporalAddress: '127.0.0.1:1',
    });
    const { code, by } = await findingsOf({ COUNCIL_HOME: home.path });
    expect(by('home')).toMatchObject({ state: 'warning', detail: expect.stringContaining('was killed') });
    expect(by('database')?.state).toBe('ok');
    expect(code).toBe(0);
  });

  test('says when a service is starting, or will never have started', async () => {
    const lock = await lockHome(home.path);
    const { by } = await findingsOf({ COUNCIL_HOME: home.path });
    await lock.release();
    expect(by('home')).toMatchObject({
      state: 'warning',
      detail: expect.stringContaining(`process ${process.pid}`),
    });
  });

  test('knows a port that another council report service holds from one that anybody holds', async () => {
    const port = new URL(service.url).port;
    const another = await findingsOf({ COUNCIL_HOME: home.path, PORT: port });
    expect(another.by('port')?.detail).toContain('a council report service, not of this COUNCIL_HOME');
    const taken = String(await stranger());
    const { code, by } = await findingsOf({ COUNCIL_HOME: home.path, PORT: taken, TEMPORAL_UI_PORT: taken });
    expect(by('port')).toMatchObject({
      state: 'warning',
      detail: `${taken} is held by another program`,
      next: expect.stringContaining('`npm start` takes another port'),
    });
    expect(by('ui_port')).toMatchObject({
      state: 'warning',
      next: expect.stringContaining('TEMPORAL_UI_PORT'),
    });
    expect(code).toBe(0);
  });

  test('takes a taken port for a problem where an API is started alone, and an address of nobody for one always', async () => {
    const taken = String(await stranger());
    const alone = {
      DATABASE_URL: service.database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
    };
    const { code, by } = await toldFindings({ COUNCIL_HOME: home.path, PORT: taken, ...alone });
    expect(by('port')).toMatchObject({
      state: 'problem',
      next: expect.stringContaining('`npm run api` cannot start'),
    });
    expect(code).toBe(1);
    const nobody = await findingsOf({ COUNCIL_HOME: home.path, PORT: '41999', HOST: '192.0.2.1' });
    expect(nobody.by('port')).toMatchObject({ state: 'problem', next: expect.stringContaining('Set HOST') });
  });
});
