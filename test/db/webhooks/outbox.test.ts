import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { saveGrade } from '../../../db/track-record/grades.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { claimDeliveries, releaseDeliveries } from '../../../db/webhooks/outbox.js';
import { type WebhookType, webhookTypes } from '../../../purchase/webhooks.js';
import { newEndpoint } from '../../support/webhooks.js';
import { complete, finish, freezeMarket, refund, sell, snapshot } from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const keyRing = [{ kid: 'k', key: randomBytes(32) }];

/** An account with credits whose endpoint wants everything. */
async function listener(credits = 1_000, types: readonly WebhookType[] = webhookTypes) {
  const accountId = await world.openAccount(credits);
  const url = 'https://hooks.example.com';
  const endpoint = await newEndpoint(world.db, keyRing, { accountId, url, types });
  return { accountId, endpoint };
}

const toldTo = async (accountId: string) =>
  world.sql(
    `select d.type, d.data, d.status from webhook_deliveries d
     join webhook_endpoints e on e.id = d.endpoint_id where e.account_id = $1 order by d.created_at, d.type`,
    [accountId],
  );

describe('what an account receives', () => {
  test('is the completion of its own report, in the transaction that completes it', async () => {
    const { accountId } = await listener();
    const other = await listener();
    const { reportId, eventId } = await sell(world, { accountId });
    await complete(world.db, reportId);
    const data = { report_id: reportId, event_id: eventId, status: 'completed' };
    expect(await toldTo(accountId)).toEqual([{ type: 'report.completed', data, status: 'pending' }]);
    expect(await toldTo(other.accountId)).toEqual([]);
  });

  test('is nothing when the completion is rolled back', async () => {
    const { accountId } = await listener();
    const { reportId } = await sell(world, { accountId });
    await freezeMarket(world.db, reportId, snapshot);
    await world.sql('alter table unsealed_entries rename to mislaid');
    await expect(finish(world.db, reportId)).rejects.toThrow();
    await world.sql('alter table mislaid rename to unsealed_entries');
    expect(await toldTo(accountId)).toEqual([]);
    await finish(world.db, reportId);
    expect((await toldTo(accountId)).length).toBe(1);
  });

  test('is a failure with its refund, once', async () => {
    const { accountId } = await listener();
    const purchase = await sell(world, { accountId });
    await refund(world.db, purchase);
    await refund(world.db, purchase);
    const data = { report_id: purchase.reportId, event_id: purchase.eventId, status: 'failed' };
    expect(await toldTo(accountId)).toEqual([{ type: 'report.failed', data, status: 'pending' }]);
  });

  test('is only what its active endpoints want', async () => {
    const { accountId } = await listener(1_000, ['report.failed']);
    const disabled = await listener();
    await world.sql(
      `update webhook_endpoints set status = 'disabled', disabled_reason = 'asked' where id = $1`,
      [disabled.endpoint.id],
    );
    for (const owner of [accountId, disabled.accountId]) {
      const { reportId } = await sell(world, { accountId: owner });
      await complete(world.db, reportId);
    }
    expect(await toldTo(accountId)).toEqual([]);
    expect(await toldTo(disabled.accountId)).toEqual([]);
  });

  test('is each grade under a resolution that says something else, to all who own the report', async () => {
    const buyer = await listener(1_000, ['report.graded']);
    const cached = await listener(1_000, ['report.graded']);
    const stranger = await listener(1_000, ['report.graded']);
    const { reportId, eventId } = await sell(world, { accountId: buyer.accountId });
    await complete(world.db, reportId);
    await sell(world, { accountId: cached.accountId, eventId });
    const grade = async (resolutionId: number, grader: string) =>
      saveGrade(world.db, {
        reportId,
        resolutionId,
        grader,
        state: 'void',
        scores: null,
        openMarkets: 0,
        now: noon,
      });
    const resolution = async (outcomes = '{}') => {
      const [row] = await world.sql(
        `insert into resolutions (event_id, outcomes, evidence, observed_at) values ($1, $2, '{}', now())
         returning id::int`,
        [eventId, outcomes],
      );
      return row.id as number;
    };
    const first = await resolution();
    expect(await grade(first, 'grader/2')).toBe(true);
    expect(await grade(first, 'grader/2')).toBe(false);
    expect(await grade(first, 'grader/3')).toBe(true);
    const data = { report_id: reportId, event_id: eventId, status: 'completed' };
    const told = { type: 'report.graded', data, status: 'pending' };
    expect(await toldTo(buyer.accountId)).toEqual([told]);
    expect(await toldTo(cached.accountId)).toEqual([told]);
    const confirming = await resolution();
    expect(await grade(confirming, 'grader/3')).toBe(false);
    expect(await grade(confirming, 'grader/4')).toBe(true);
    expect(await toldTo(buyer.accountId)).toEqual([told]);
    expect(await grade(await resolution('{"a":"void"}'), 'grader/2')).toBe(true);
    expect(await toldTo(buyer.accountId)).toEqual([told, told]);
    expect(await toldTo(stranger.accountId)).toEqual([]);
  });

  test('is a balance that falls below the price of a fresh report, once', async () => {
    const { accountId } = await listener(250, ['balance.low']);
    const { creditsSpent } = await sell(world, { accountId });
    expect(await toldTo(accountId)).toEqual([]);
    await sell(world, { accountId });
    const [told] = await toldTo(accountId);
    expect(told).toMatchObject({ type: 'balance.low', data: { balance_credits: 250 - 2 * creditsSpent } });
    expect(told.data.fresh_credits).toBeGreaterThan(told.data.balance_credits);
    expect((await toldTo(accountId)).length).toBe(1);
  });
});

describe('claiming', () => {
  test('takes a delivery once, after the entry of its report is sealed or after three seconds', async () => {
    await claimDeliveries(world.db, { now: later({ hours: 1 }), max: 1_000 });
    const { accountId } = await listener(1_000, ['report.completed']);
    for (const waits of ['for its entry', 'three seconds'] as const) {
      const { reportId } = await sell(world, { accountId });
      await complete(world.db, reportId);
      expect(await claimDeliveries(world.db, { now: noon, max: 10 })).toEqual([]);
      if (waits === 'for its entry') await sealRecord(world.db);
      const now = waits === 'for its entry' ? noon : later({ seconds: 3.1 });
      const all = await Promise.all([1, 2, 3].map(() => claimDeliveries(world.db, { now, max: 10 })));
      expect(all.flat()).toEqual([{ id: expect.any(String), isOverdue: false }]);
    }
  });

  test('takes what could not be handed over again, and what was handed over and not tried in time', async () => {
    await claimDeliveries(world.db, { now: later({ hours: 1 }), max: 1_000 });
    const { accountId } = await listener(1_000, ['report.completed']);
    const { reportId } = await sell(world, { accountId });
    await complete(world.db, reportId);
    await sealRecord(world.db);
    const claim = (now: Date) => claimDeliveries(world.db, { now, max: 10 });
    const [first] = await claim(noon);
    await releaseDeliveries(world.db, [first?.id ?? '']);
    expect(await claim(noon)).toEqual([first]);
    expect(await claim(later({ seconds: 119 }))).toEqual([]);
    expect(await claim(later({ seconds: 121 }))).toEqual([{ id: first?.id, isOverdue: true }]);
    expect(await claim(later({ seconds: 200 }))).toEqual([]);
    await world.sql('update webhook_deliveries set next_attempt_at = $2 where id = $1', [
      first?.id,
      later({ hours: 2 }),
    ]);
    const others = await claimDeliveries(world.db, { now: later({ hours: 2 }), max: 1_000 });
    expect(others.map(({ id }) => id)).not.toContain(first?.id);
  });
});
