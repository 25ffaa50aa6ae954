import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { CouncilModel } from '../../../council/models.js';
import { createBatch } from '../../../db/batches/batches.js';
import { changeBatch } from '../../../db/batches/change-batch.js';
import { findFailingMember, readThrottledSlots } from '../../../db/batches/member-health.js';
import { recordProviderCall } from '../../../db/pricing/provider-calls.js';
import { refundPurchase } from '../../../db/purchases/refunds.js';
import { appendToStream } from '../../../db/reports/report-stream.js';
import { answeredCall, freezeMarket, sell, snapshot } from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

test('the refusals of a vendor count for a minute, once in five seconds, and apart for an account’s own keys', async () => {
  const { reportId } = await sell(world);
  const throttle = (seconds: number, model: CouncilModel) =>
    recordProviderCall(
      world.db,
      answeredCall(reportId, { model, outcome: 'rate_limited', now: later({ seconds }) }),
    );
  for (const seconds of [0, 1, 5, 12]) await throttle(seconds, 'grok');
  await throttle(12, 'gpt');
  await recordProviderCall(
    world.db,
    answeredCall(reportId, { model: 'claude', now: later({ seconds: 12 }) }),
  );
  const slots = (seconds: number, byokOf: string | null = null) =>
    readThrottledSlots(world.db, { byokOf, now: later({ seconds }) });
  expect(await slots(13)).toEqual({ grok: 3, gpt: 1 });
  expect(await slots(66)).toEqual({ grok: 1, gpt: 1 });
  expect(await slots(73)).toEqual({});
  expect(await slots(13, await world.openAccount())).toEqual({});
});

test('a member without which three runs in a row failed is named, until the batch goes on', async () => {
  const accountId = await world.openAccount(100_000);
  const eventIds = await Promise.all(Array.from({ length: 4 }, () => world.openEvent()));
  const id = randomUUID();
  await createBatch(world.db, {
    id,
    accountId,
    apiKeyId: null,
    name: null,
    lane: 'credits',
    budgetCredits: 100_000,
    maxCreditsEach: null,
    minMembers: 4,
    maxInFlight: 4,
    eventIds,
    idempotency: { key: id, fingerprint: '' },
    now: noon,
  });
  const fail = async (position: number, ...models: CouncilModel[]) => {
    const row = { batchId: id, position };
    const sold = await sell(world, { accountId, eventId: eventIds[position - 1] ?? '', row });
    await freezeMarket(world.db, sold.reportId, snapshot);
    for (const model of models)
      await appendToStream(world.db, sold.reportId, {
        event: 'member.lost',
        stage: 'opinions',
        model,
        kind: 'timed_out',
      });
    await refundPurchase(world.db, { ...sold, failure: 'quorum_lost', now: later({ seconds: position }) });
  };
  await fail(1, 'grok');
  await fail(2, 'grok', 'gpt');
  expect(await findFailingMember(world.db, id)).toBeNull();
  await fail(3, 'grok');
  expect(await findFailingMember(world.db, id)).toBe('grok');
  await fail(4, 'gpt');
  expect(await findFailingMember(world.db, id)).toBeNull();
  await changeBatch(world.db, { accountId, id, now: later({ minutes: 1 }) }, { status: 'running' });
  expect(await findFailingMember(world.db, id)).toBeNull();
});
