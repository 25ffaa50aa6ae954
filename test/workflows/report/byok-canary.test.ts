import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import { type KeyVendor, keyVendors, vendors } from '../../../council/models.js';
import { hashKey } from '../../../simulator/write-answer.js';
import { readableHistory } from '../../support/expect/readable-history.js';
import { dumpDatabase } from '../../support/machine/dump-database.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { startTestService, type TestService } from '../../support/service/test-service.js';

/**
 * Callers' keys. They may appear only in the calls to the vendors, even when a vendor repeats a key in its
 * error or the whole run fails.
 */
const houseKey = 'test-provider-key';
const secrets = new Map<string, string>();
const refused: string[] = [];
const logged: string[] = [];
const answered: string[] = [];
const answeredByVendors: string[] = [];
const realFetch = globalThis.fetch;
let service: TestService;

beforeAll(async () => {
  collectTemporalLogs();
  const log = pino({ level: 'trace' }, { write: line => logged.push(line) });
  service = await startTestService({ log, researchDeadlineMs: 8_000 });
  collectAnswers(service.url);
  await runOnVendorKeys();
  await runOnOpenRouterKey();
  await runWithOneKeyRefused();
  await runWithAllKeysRefused();
  await runWithOpenRouterKeyRefused();
});

afterAll(async () => {
  globalThis.fetch = realFetch;
  await service.stop();
});

/** Collects the logs of the Temporal SDK, including its core. */
function collectTemporalLogs(): void {
  Runtime.install({
    logger: new DefaultLogger('TRACE', entry => logged.push(JSON.stringify(entry, withoutBigInts))),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'DEBUG' }), forward: {} } },
  });
}

function withoutBigInts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Collects every response of the service and of the vendors, with headers and body. */
function collectAnswers(url: string): void {
  globalThis.fetch = async (input, init) => {
    const response = await realFetch(input, init);
    const head = JSON.stringify([...response.headers]);
    const answer = `${response.status} ${response.url} ${head} ${await response.clone().text()}`;
    (response.url.startsWith(url) ? answered : answeredByVendors).push(answer);
    return response;
  };
}

async function callerWith(providers: readonly KeyVendor[]): Promise<TestCaller> {
  const caller = await service.newCaller(500);
  for (const provider of providers) {
    const key = `sk-${provider}-${randomBytes(24).toString('hex')}`;
    secrets.set(`${caller.accountId} ${provider}`, key);
    await caller.put(`/api/provider-keys/${provider}`, { key }, { as: 'session' });
    await caller.put(`/api/provider-keys/${provider}`, `{"key": "${key}" "`, { as: 'session' });
    await caller.put(`/api/provider-keys/${provider}`, { key: `${key} ${key}` }, { as: 'session' });
  }
  return caller;
}

function keyOf(caller: TestCaller, provider: KeyVendor): string {
  const key = secrets.get(`${caller.accountId} ${provider}`);
  if (key === undefined) throw new Error('no such key');
  return key;
}

/** Runs a report to its end, and expects that the vendors received exactly these keys of the caller. */
async function run(caller: TestCaller, eventId: string, providers: readonly KeyVendor[]) {
  const before = service.simulator.calls.length;
  const { body } = await caller.buy(eventId, { lane: 'byok' });
  const report = await caller.untilEnded(body.report_id);
  await caller.get('/api/provider-keys', { as: 'session' });
  await caller.get(`/api/reports?status=${report.status}`);
  const seen = service.simulator.calls.slice(before).map(({ vendor, keyHash }) => `${vendor} ${keyHash}`);
  const own = providers.map(provider => `${provider} ${hashKey(keyOf(caller, provider))}`);
  expect(new Set(seen)).toEqual(new Set(own));
  return report;
}

async function runOnVendorKeys(): Promise<void> {
  const report = await run(await callerWith(vendors), 'sample-fed-cut-2031', vendors);
  expect(report).toMatchObject({ status: 'completed', dropouts: [] });
}

async function runOnOpenRouterKey(): Promise<void> {
  const report = await run(await callerWith(keyVendors), 'sample-bitcoin-high-2031', ['openrouter']);
  expect(report).toMatchObject({ status: 'completed', dropouts: [] });
}

async function runWithOneKeyRefused(): Promise<void> {
  const caller = await callerWith(vendors);
  refuse(keyOf(caller, 'openai'), 401);
  const report = await run(caller, 'sample-hottest-year-2031', vendors);
  expect(report.council_config.runtime.provider_failures).toEqual({ gpt: 'was not authorised at opinions' });
}

/** Each vendor refuses with another status; some of them are retried. */
async function runWithAllKeysRefused(): Promise<void> {
  const caller = await callerWith(vendors);
  const statuses = { openai: 401, anthropic: 403, google: 400, xai: 500 } as const;
  for (const vendor of vendors) refuse(keyOf(caller, vendor), statuses[vendor]);
  const report = await run(caller, 'sample-song-contest-2031', vendors);
  expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
  expect(await caller.balance()).toBe(500);
}

async function runWithOpenRouterKeyRefused(): Promise<void> {
  const caller = await callerWith(['openrouter']);
  refuse(keyOf(caller, 'openrouter'), 402);
  const report = await run(caller, 'sample-ridge-derby-2031', ['openrouter']);
  expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
}

/** Makes a vendor refuse a key. Its error repeats the request's headers, with the key in plain text. */
function refuse(key: string, status: number): void {
  refused.push(key);
  service.simulator.setFault({ keyHash: hashKey(key) }, { kind: 'http', status, echo: true });
}

/** The secrets that a text contains, plain or encoded. Their last four characters may appear. */
function secretsIn(text: string): string[] {
  return [...secrets.values()].filter(key => {
    const shown = key.slice(0, -4);
    const base64 = Buffer.from(key).toString('base64').slice(0, 40);
    return [shown, base64, Buffer.from(shown).toString('hex')].some(encoded => text.includes(encoded));
  });
}

async function histories(): Promise<string[]> {
  const runs = await service.database.db.selectFrom('reports').select('workflow_id').execute();
  return Promise.all(
    runs.map(async ({ workflow_id: id }) => {
      const handle = service.temporal.workflow.getHandle(id);
      const { memo, searchAttributes, status } = await handle.describe();
      return `${JSON.stringify({ memo, searchAttributes, status })} ${readableHistory(await handle.fetchHistory())}`;
    }),
  );
}

describe('a caller’s provider key', () => {
  test('is sent to the vendors, and the service’s own key never replaces it', () => {
    const seen = new Set(service.simulator.calls.map(call => call.keyHash));
    expect(seen.size).toBe(4 + 1 + 4 + 4 + 1);
    expect(seen.has(hashKey(houseKey))).toBe(false);
  });

  test('is repeated in the error of a vendor that refuses it', () => {
    const errors = answeredByVendors.join('\n');
    expect(refused).toHaveLength(1 + 4 + 1);
    for (const key of refused) expect(errors).toContain(key);
  });

  test('is in no column of any table', async () => {
    const dump = await dumpDatabase(service.database.pool);
    const { rows } = await service.database.pool.query('select ciphertext from provider_keys');
    expect(rows).toHaveLength(4 + 5 + 4 + 4 + 1);
    for (const { ciphertext } of rows) expect(dump).toContain(ciphertext.toString('latin1'));
    expect(secretsIn(dump)).toEqual([]);
  });

  test('is in no workflow history', async () => {
    const all = await histories();
    expect(all).toHaveLength(5);
    for (const history of all) expect(history).toMatch(/askResearch[^]*askOpinion/);
    expect(all.join('\n')).toContain('unauthorised');
    expect(secretsIn(all.join('\n'))).toEqual([]);
  });

  test('is in no log, at any level', () => {
    const all = logged.join('\n');
    expect(all).toContain('/api/provider-keys/:provider');
    expect(all).toContain('askOpinion');
    expect(secretsIn(all)).toEqual([]);
  });

  test('is in no response of the service', () => {
    const all = answered.join('\n');
    for (const key of secrets.values()) expect(all).toContain(`"last4":"${key.slice(-4)}"`);
    expect(all).toContain('was not authorised at opinions');
    expect(secretsIn(all)).toEqual([]);
  });

  test('would be found in any encoding and any column', async () => {
    const [key = ''] = secrets.values();
    for (const encoded of [key, Buffer.from(key).toString('base64'), Buffer.from(key).toString('hex')])
      expect(secretsIn(`before ${encoded} after`)).toEqual([key]);
    const { pool } = service.database;
    await pool.query('create table planted (a text, b bytea, c json)');
    const rows: (string | Buffer | null)[][] = [
      [key, null, null],
      [null, Buffer.from(key), null],
      [null, null, JSON.stringify({ deep: [key] })],
    ];
    for (const row of rows) {
      await pool.query('insert into planted values ($1, $2, $3)', row);
      expect(secretsIn(await dumpDatabase(pool))).toEqual([key]);
      await pool.query('delete from planted');
    }
    await pool.query('drop table planted');
  });
});
