import { describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { horizonAfterAll, usePlantedBooks } from '../support/planted-books.js';
import { bought, complete, purchaseRequest } from '../support/purchases.js';
import { noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const books = usePlantedBooks(world);

describe('an audit of the changes', () => {
  test('compares nothing when nothing was written', async () => {
    const { drift, scope, checked } = await books.changes();
    expect({ drift, scope }).toEqual({ drift: [], scope: 'changes' });
    expect(Object.values(checked).every(rows => rows === 0)).toBe(true);
  });

  test('compares only what one sale wrote', async () => {
    const before = await horizonAfterAll(world);
    const request = purchaseRequest({ accountId: books.is.buyer, eventId: await world.openEvent() });
    const { reportId } = await bought(world.db, request);
    await complete(world.db, reportId);
    const { drift, checked } = await auditBooks(world.db, noon, before);
    expect(drift).toEqual([]);
    expect(checked).toMatchObject({ transfers: 1, entries: 2, purchases: 1, reports: 1, checkouts: 0 });
  });

  test.each([
    [
      'a purchase that was changed',
      () => `update report_purchases set credits = credits + 1 where id = '${books.is.completed.purchaseId}'`,
      /is for 121 credits, but its charge took 120/,
    ],
    [
      'the purchase of a report that failed',
      () => `update reports set status = 'failed', failure_code = 'internal', ended_at = now()
        where id = ${books.is.inFlight.reportId}`,
      /failed, but purchase .* is still charged/,
    ],
    [
      'the purchase of a weekly grant that was freed',
      () => `update weekly_grants set used_by = null where used_by = '${books.is.granted.purchaseId}'`,
      /was paid by a weekly grant, but no grant is marked as used for it/,
    ],
    [
      'the pool of an account whose lot was changed',
      () => `update weekly_grants set held_credits = held_credits + 1
        where account_id = '${books.is.givenBack.accountId}'`,
      /hold \d+ credits, but its pool holds \d+/,
    ],
    [
      'usage of a report that was not sold to a subscription',
      () => `insert into usage_outbox select id, account_id, report_id, 'fresh', 300, 'cus_1', 'pending', created_at
        from report_purchases where id = '${books.is.granted.purchaseId}'`,
      /is not a delivered report of a subscription/,
    ],
    [
      'a checkout that was changed',
      () =>
        `update checkouts set taken_back_credits = taken_back_credits + 1 where id = '${books.is.checkoutId}'`,
      /records \d+ credits as taken back, but its adjustments took \d+/,
    ],
    [
      'the sum of an hour that was changed',
      () =>
        `update house_spend set usd_micros = usd_micros + 7, written_by = pg_current_xact_id() where granted`,
      /cost 400000 micro-dollars, but the ceilings count 400007/,
    ],
    [
      'a report that was sold as fresh again',
      () => `update report_purchases set kind = 'fresh' where id = '${books.is.cached.purchaseId}'`,
      /was sold as fresh 2 times/,
    ],
  ])('finds %s, and nothing else of the books', async (_, fault, summary) => {
    await books.plant(fault());
    const { drift, checked } = await books.changes();
    expect(drift).toContainEqual(expect.stringMatching(summary));
    expect(drift).toEqual(await books.drift());
    expect(checked.purchases).toBeLessThanOrEqual(2);
  });

  test('finds what a transaction wrote that was open while others were audited', async () => {
    let horizon = await horizonAfterAll(world);
    await world.together(async late => {
      await late.query(
        `insert into usage_outbox select id, account_id, report_id, 'fresh', 300, 'cus_1', 'pending', created_at
         from report_purchases where id = $1`,
        [books.is.granted.purchaseId],
      );
      for (const _ of [1, 2, 3]) {
        await bought(world.db, { accountId: books.is.buyer, eventId: await world.openEvent() });
        const audit = await auditBooks(world.db, noon, horizon);
        expect(audit).toMatchObject({ drift: [], scope: 'changes' });
        horizon = audit.horizon;
      }
    });
    expect((await auditBooks(world.db, noon, horizon)).drift).toHaveLength(1);
  });

  test('compares all rows instead if the earlier audit was of another cluster, or is ahead of this one', async () => {
    const { horizon } = await auditBooks(world.db, noon);
    const ahead = { ...horizon, writtenBefore: String(BigInt(horizon.writtenBefore) + 1_000_000n) };
    for (const since of [{ ...horizon, cluster: '7' }, ahead]) {
      expect(await auditBooks(world.db, noon, since)).toMatchObject({ scope: 'all' });
    }
  });
});
