import { beforeEach, describe, expect, test } from '@jest/globals';
import { councilModels, type KeyVendor, keyVendors, vendors } from '../../../council/models.js';
import { projectFiles } from '../../../platform/settings/project-files.js';
import { loadModelCatalogue } from '../../../providers/model-catalogue.js';
import { hashKey } from '../../../simulator/write-answer.js';
import type { TestCaller } from '../../support/service/test-caller.js';
import { useTestService } from '../../support/use-service.js';

/** Called after the purchase; a test changes keys here. */
let afterPurchase: (() => Promise<unknown>) | null = null;
let before = 0;

const service = await useTestService({
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
beforeEach(() => {
  afterPurchase = null;
  service.simulator.clearFaults();
  before = service.simulator.calls.length;
});

const session = { as: 'session' } as const;
const keyOf = (caller: TestCaller, provider: KeyVendor) => `sk-${provider}-of-${caller.accountId}`;
const newCalls = () => service.simulator.calls.slice(before);

async function callerWith(providers: readonly KeyVendor[]): Promise<TestCaller> {
  const caller = await service.newCaller(500);
  for (const provider of providers) {
    const stored = await caller.put(
      `/api/provider-keys/${provider}`,
      { key: keyOf(caller, provider) },
      session,
    );
    expect(stored.status).toBe(200);
  }
  return caller;
}

async function run(caller: TestCaller, eventId: string, lane: 'byok' | 'credits' = 'byok') {
  const { status, body } = await caller.buy(eventId, { lane });
  expect({ status, lane: body.lane }).toEqual({ status: 202, lane });
  return caller.untilEnded(body.report_id);
}

/** Expects that each vendor received exactly these keys of the caller. */
function expectOnlyKeysOf(caller: TestCaller, providers: readonly KeyVendor[]): void {
  const expected = providers.map(provider => `${provider} ${hashKey(keyOf(caller, provider))}`);
  expect(new Set(newCalls().map(({ vendor, keyHash }) => `${vendor} ${keyHash}`))).toEqual(new Set(expected));
}

/** Which member searched with which vendor's key. */
function searchesBy(): string[] {
  const searches = newCalls().filter(({ stage }) => stage === 'research');
  return searches.map(({ model, vendor }) => `${model} ${vendor}`).sort();
}

async function modelIdsOf(reportId: number): Promise<Set<string>> {
  const rows = await service.database.db
    .selectFrom('provider_calls')
    .select(['model', 'model_id'])
    .where('report_id', '=', reportId)
    .execute();
  return new Set(rows.map(row => `${row.model} ${row.model_id}`));
}

const catalogue = loadModelCatalogue(projectFiles.modelCatalogue);
const openRouterIds = new Set(councilModels.map(model => `${model} ${catalogue[model].openRouterModelId}`));

describe('a run on the caller’s own keys', () => {
  test('calls each vendor with the caller’s key for it', async () => {
    const caller = await callerWith(vendors);
    const report = await run(caller, 'sample-fed-cut-2031');
    expect(report).toMatchObject({ status: 'completed', lane: 'byok' });
    expect(report.council_config.runtime).toMatchObject({ degraded: false, models: expect.anything() });
    expectOnlyKeysOf(caller, vendors);
    expect(searchesBy()).toEqual(['claude anthropic', 'gpt openai', 'grok xai']);
    expect(await modelIdsOf(report.id)).toEqual(
      new Set(councilModels.map(model => `${model} ${catalogue[model].modelId}`)),
    );
    expect(await caller.balance()).toBe(450);
  });

  test('calls all four models through OpenRouter if there is a key for it, even beside other keys', async () => {
    const caller = await callerWith(keyVendors);
    const report = await run(caller, 'sample-bitcoin-high-2031');
    expect(report).toMatchObject({ status: 'completed', lane: 'byok' });
    expectOnlyKeysOf(caller, ['openrouter']);
    expect(searchesBy()).toEqual(['claude openrouter', 'gpt openrouter', 'grok openrouter']);
    expect(report.deliberation.evidence.status).toBe('searched');
    expect(await modelIdsOf(report.id)).toEqual(openRouterIds);
  });

  test('loses the model whose key was deleted after the purchase, and continues', async () => {
    const caller = await callerWith(vendors);
    afterPurchase = () => caller.delete('/api/provider-keys/xai', session);
    const report = await run(caller, 'sample-hottest-year-2031');
    expect(report.council_config.runtime.provider_failures).toEqual({
      grok: 'was not authorised at opinions',
    });
    // Lost by its opinion. The search that failed before is stated where searches are, and loses nobody.
    expect(report.dropouts).toMatchObject([{ model: 'grok', stage: 'opinions' }]);
    expect(report.deliberation.evidence).toMatchObject({
      status: 'partial',
      failures: { grok: 'was not authorised' },
    });
    expectOnlyKeysOf(caller, ['openai', 'anthropic', 'google']);
  });

  test('loses the model whose key can no longer be decrypted, and continues', async () => {
    const caller = await callerWith(vendors);
    afterPurchase = () =>
      service.database.pool.query(
        `update provider_keys set kid = 'gone' where account_id = $1 and provider = 'openai'`,
        [caller.accountId],
      );
    const report = await run(caller, 'sample-song-contest-2031');
    expect(report.council_config.runtime.provider_failures).toEqual({
      gpt: 'was not authorised at opinions',
    });
    expectOnlyKeysOf(caller, ['xai', 'anthropic', 'google']);
  });

  test('fails and is refunded when no key is left, without a call on the service’s own keys', async () => {
    const caller = await callerWith(['openrouter']);
    afterPurchase = () => caller.delete('/api/provider-keys/openrouter', session);
    const report = await run(caller, 'sample-ridge-derby-2031');
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
    expect(newCalls()).toEqual([]);
    expect(await caller.balance()).toBe(500);
  });

  test('records refused calls with the model IDs of OpenRouter', async () => {
    const caller = await callerWith(['openrouter']);
    const keyHash = hashKey(keyOf(caller, 'openrouter'));
    service.simulator.setFault({ keyHash }, { kind: 'http', status: 401 });
    const report = await run(caller, 'sample-expo-host-2031');
    expect(report).toMatchObject({ status: 'failed', failure: { code: 'quorum_lost' } });
    expectOnlyKeysOf(caller, ['openrouter']);
    expect(await modelIdsOf(report.id)).toEqual(openRouterIds);
    expect(await caller.balance()).toBe(500);
  });
});

test('a run on credits never uses the stored keys of its caller', async () => {
  const caller = await callerWith(keyVendors);
  expect((await run(caller, 'sample-great-quake-2031', 'credits')).status).toBe('completed');
  expect(new Set(newCalls().map(({ keyHash }) => keyHash))).toEqual(new Set([hashKey('test-provider-key')]));
});
