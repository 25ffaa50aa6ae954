import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DefaultLogger, makeTelemetryFilterString } from '@temporalio/worker';
import { pino } from 'pino';
import type { CallStage } from '../../../council/deliberation/stages.js';
import { councilModels, type KeyVendor, keyVendors, vendors } from '../../../council/models.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { loadModelCatalogue, searchingMembers } from '../../../providers/model-catalogue.js';
import { hashKey } from '../../../simulator/digests.js';
import { readableHistory } from '../../support/expect/readable-history.js';
import { dumpDatabase } from '../../support/machine/dump-database.js';
import { installRuntime } from '../../support/machine/install-runtime.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

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
const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
const searchers = searchingMembers(catalogue);
const session = { as: 'session' } as const;

await collectTemporalLogs();
/** Called after the purchase; a test changes keys here. */
let afterPurchase: (() => Promise<unknown>) | null = null;
const service = await useTestService({
  log: pino({ level: 'trace' }, { write: line => logged.push(line) }),
  researchDeadlineMs: 8_000,
  around: real => ({
    ...real,
    purchaseReport: async input => {
      const outcome = await real.purchaseReport(input);
      await afterPurchase?.();
      return outcome;
    },
  }),
});
collectAnswers(service.url);
const [onVendors, onOpenRouter, oneRefused, allRefused, openRouterRefused] = await Promise.all([
  run(await callerWith(vendors), 'sample-song-contest-2031'),
  run(await callerWith(keyVendors), 'sample-bitcoin-high-2031'),
  run(await callerWith(vendors, { openai: 401 }), 'sample-hottest-year-2031'),
  // Some of these are retried.
  run(
    await callerWith(vendors, { openai: 401, anthropic: 403, google: 400, xai: 500 }),
    'sample-fed-cut-2031',
  ),
  run(await callerWith(['openrouter'], { openrouter: 402 }), 'sample-ridge-derby-2031'),
]);

/** Collects the logs of the Temporal SDK, including its core. */
function collectTemporalLogs(): Promise<void> {
  return installRuntime({
    logger: new DefaultLogger('TRACE', entry =>
      logged.push(JSON.stringify(entry, (_, value) => (typeof value === 'bigint' ? `${value}` : value))),
    ),
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'DEBUG' }), forward: {} } },
  });
}

/** Collects every response of the service and of the vendors, with headers and body. */
function collectAnswers(url: string): void {
  const realFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await realFetch(input, init);
    const head = JSON.stringify([...response.headers]);
    const answer = `${response.status} ${response.url} ${head} ${await response.clone().text()}`;
    (response.url.startsWith(url) ? answered : answeredByVendors).push(answer);
    return response;
  };
  afterAll(() => {
    globalThis.fetch = realFetch;
  });
}

/** @param refusals the status with which a vendor refuses its key, in an error that repeats the key in plain text */
async function callerWith(
  providers: readonly KeyVendor[],
  refusals: Partial<Record<KeyVendor, number>> = {},
): Promise<TestCaller> {
  const caller = await service.newCaller(500);
  for (const provider of providers) {
    const key = `sk-${provider}-${randomBytes(24).toString('hex')}`;
    secrets.set(`${caller.accountId} ${provider}`, key);
    const path = `/api/provider-keys/${provider}`;
    expect((await caller.put(path, { key }, session)).status).toBe(200);
    await caller.put(path, `{"key": "${key}" "`, session);
    await caller.put(path, { key: `${key} ${key}` }, session);
    const status = refusals[provider];
    if (status === undefined) continue;
    refused.push(key);
    service.simulator.setFault({ keyHash: hashKey(key) }, { kind: 'http', status, echo: true });
  }
  return caller;
}

async function run(caller: TestCaller, eventId: string, lane: 'byok' | 'credits' = 'byok') {
  const { status, body } = await caller.buy(eventId, { lane });
  expect({ status, lane: body.lane }).toEqual({ status: 202, lane });
  const report = await caller.untilEnded(body.report_id);
  await caller.get('/api/provider-keys', session);
  await caller.get(`/api/reports?status=${report.status}`);
  return { caller, report };
}

const hashOf = (caller: TestCaller, provider: KeyVendor) =>
  hashKey(secrets.get(`${caller.accountId} ${provider}`) ?? '');

/** The calls with any key of this caller. */
function callsOf(caller: TestCaller) {
  const own = new Set(keyVendors.map(provider => hashOf(caller, provider)));
  return service.simulator.calls.filter(({ keyHash }) => own.has(keyHash));
}

/** Which vendors received which keys. */
const usesOf = (calls: typeof service.simulator.calls) =>
  new Set(calls.map(({ vendor, keyHash }) => `${vendor} ${keyHash}`));

const ownKeys = (caller: TestCaller, providers: readonly KeyVendor[]) =>
  new Set(providers.map(provider => `${provider} ${hashOf(caller, provider)}`));

/** Which member was called at a stage with which vendor's key. */
const callersAt = (asked: CallStage, caller: TestCaller) =>
  callsOf(caller)
    .filter(({ stage }) => stage === asked)
    .map(({ model, vendor }) => `${model} ${vendor}`)
    .sort();

async function expectModelIds({ id }: { id: number }, kind: 'modelId' | 'openRouterModelId') {
  const calls = service.database.db.selectFrom('provider_calls').where('report_id', '=', id);
  const rows = await calls.select(['model', 'model_id as modelId']).execute();
  for (const { model, modelId } of rows) expect(modelId).toBe(catalogue[model][kind]);
  expect(new Set(rows.map(({ model }) => model))).toEqual(new Set(councilModels));
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
  test('is sent to its vendor, and the service’s own key never replaces it', () => {
    for (const { caller } of [onVendors, oneRefused, allRefused])
      expect(usesOf(callsOf(caller))).toEqual(ownKeys(caller, vendors));
    const seen = new Set(service.simulator.calls.map(call => call.keyHash));
    expect(seen.size).toBe(4 + 1 + 4 + 4 + 1);
    expect(seen.has(hashKey(houseKey))).toBe(false);
  });

  test('of OpenRouter is sent for all four models, even beside other keys', () => {
    for (const { caller } of [onOpenRouter, openRouterRefused])
      expect(usesOf(callsOf(caller))).toEqual(ownKeys(caller, ['openrouter']));
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

describe('a run on the caller’s own keys', () => {
  let before = 0;
  beforeEach(() => {
    afterPurchase = null;
    before = service.simulator.calls.length;
  });
  const newUses = () => usesOf(service.simulator.calls.slice(before));

  test.each([
    ['of the vendors', onVendors, 'modelId', ['claude anthropic', 'gpt openai', 'grok xai']],
    ['of OpenRouter', onOpenRouter, 'openRouterModelId', searchers.map(model => `${model} openrouter`)],
  ] as const)('%s has the whole council', async (_, { caller, report }, id, searches) => {
    expect(report).toMatchObject({ status: 'completed', lane: 'byok', dropouts: [] });
    expect(report.council_config.runtime.degraded).toBe(false);
    expect(report.deliberation.evidence.status).toBe('searched');
    expect(callersAt('research', caller)).toEqual(searches);
    expect(callersAt('market_gap', caller)).toEqual([searches[1]]);
    await expectModelIds(report, id);
    expect(await caller.balance()).toBe(450);
  });

  test('loses the member whose key is refused, and is refunded when all are', async () => {
    const { provider_failures: failures } = oneRefused.report.council_config.runtime;
    expect(failures).toEqual({ gpt: 'was not authorised at opinions' });
    for (const { caller, report } of [allRefused, openRouterRefused]) {
      expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
      expect(await caller.balance()).toBe(500);
    }
    await expectModelIds(openRouterRefused.report, 'openRouterModelId');
  });

  test.each([
    ['delete from provider_keys', 'xai', 'grok', 'sample-expo-host-2031'],
    [`update provider_keys set kid = 'gone'`, 'openai', 'gpt', 'sample-oil-ladder-2031'],
  ] as const)('loses a member by `%s` after the purchase', async (change, vendor, model, eventId) => {
    const caller = await callerWith(vendors);
    const statement = `${change} where account_id = $1 and provider = $2`;
    afterPurchase = () => service.database.pool.query(statement, [caller.accountId, vendor]);
    const { report } = await run(caller, eventId);
    // Lost by its opinion. The search that failed before is stated where searches are, and loses nobody.
    expect(report.dropouts).toMatchObject([{ model, stage: 'opinions', kind: 'unauthorised' }]);
    const failures = { [model]: 'was not authorised' };
    expect(report.deliberation.evidence).toMatchObject({ status: 'partial', failures });
    expect(newUses()).toEqual(
      ownKeys(
        caller,
        vendors.filter(each => each !== vendor),
      ),
    );
  });

  test('fails and is refunded when no key is left, without a call on the service’s own keys', async () => {
    const caller = await callerWith(['openrouter']);
    afterPurchase = () => caller.delete('/api/provider-keys/openrouter', session);
    const { report } = await run(caller, 'sample-ridge-derby-2031');
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
    expect(newUses()).toEqual(new Set());
    expect(await caller.balance()).toBe(500);
  });

  test('on credits never uses them', async () => {
    const { report } = await run(await callerWith(keyVendors), 'sample-great-quake-2031', 'credits');
    expect(report.status).toBe('completed');
    const keys = new Set(service.simulator.calls.slice(before).map(({ keyHash }) => keyHash));
    expect(keys).toEqual(new Set([hashKey(houseKey)]));
  });
});
