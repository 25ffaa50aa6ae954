import { describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { recordPaymentState } from '../../../db/billing/checkouts.js';
import { expireGrants } from '../../../db/ledger/weekly-grants.js';
import { usePlantedBooks } from '../support/planted-books.js';
import { spendCredits } from '../support/spend-credits.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const books = usePlantedBooks(world);

describe('weekly grants: the audit reports drift when', () => {
  test('the pool differs from the sum of its lots', async () => {
    await books.plant(
      `update weekly_grants set held_credits = held_credits - 1 where account_id = '${books.is.givenBack.accountId}'`,
    );
    expect(await books.drift()).toEqual([
      `the weekly grants of account ${books.is.givenBack.accountId} hold 119 credits, but its pool holds 120`,
    ]);
  });

  test('a pool holds credits without a lot', async () => {
    await books.plant(`delete from weekly_grants where account_id = '${books.is.givenBack.accountId}'`);
    expect(await books.drift()).toEqual([expect.stringMatching(/hold 0 credits, but its pool holds 120/)]);
  });

  test('a lot still holds credits an hour after its end; taking them back clears it', async () => {
    const [{ usable_until }] = await world.sql(
      'select usable_until from weekly_grants where account_id = $1',
      [books.is.givenBack.accountId],
    );
    const overdue = (now: Date) =>
      books.drift(now).then(all => all.filter(summary => summary.includes('expired')));
    expect(await overdue(later({ hours: 1 }, usable_until))).toEqual([]);
    const late = later({ hours: 1, ms: 1 }, usable_until);
    expect(await overdue(late)).toEqual([expect.stringMatching(/but still holds 120 credits/)]);
    await expireGrants(world.db, () => late);
    expect(await overdue(late)).toEqual([]);
  });

  test('a lot is marked as used by a purchase that it did not pay for', async () => {
    await books.plant(`update weekly_grants set used_by = '${books.is.completed.purchaseId}'
      where used_by = '${books.is.granted.purchaseId}'`);
    expect((await books.drift()).toSorted()).toEqual([
      expect.stringMatching(/was paid by a weekly grant, but no grant is marked as used/),
      expect.stringMatching(/is marked as used by purchase .*, which it did not pay for/),
    ]);
  });
});

describe('usage: the audit reports drift when', () => {
  test.each([
    ['fresh', () => books.is.metered],
    ['cached', () => books.is.meteredCached],
  ])('a delivered %s report of a subscription is not metered', async (_, sold) => {
    await books.plant(`delete from usage_outbox where id = '${sold().purchaseId}'`);
    expect(await books.drift()).toEqual([
      `report ${sold().reportId} was delivered on a subscription, but purchase ${sold().purchaseId} of it is not metered`,
    ]);
  });

  test('a report paid in credits is also metered', async () => {
    const { purchaseId, accountId, reportId } = books.is.completed;
    await books.plant(`insert into usage_outbox values
      ('${purchaseId}', '${accountId}', ${reportId}, 'fresh', 300, 'cus_x', 'pending', '${noon.toISOString()}')`);
    expect(await books.drift()).toEqual([expect.stringMatching(/not a delivered report of a subscription/)]);
  });

  test('it names another report or kind than its purchase', async () => {
    await books.plant(
      `update usage_outbox set report_id = ${books.is.granted.reportId} where id = '${books.is.metered.purchaseId}'`,
    );
    expect(await books.drift()).toEqual([expect.stringMatching(/differs from its purchase/)]);
    await books.plant(`update usage_outbox set kind = 'cached', report_id = ${books.is.metered.reportId}
      where id = '${books.is.metered.purchaseId}'`);
    expect(await books.drift()).toEqual([expect.stringMatching(/differs from its purchase/)]);
  });

  test('it has waited for more than an hour', async () => {
    const waiting = (now: Date) =>
      books.drift(now).then(all => all.filter(summary => summary.includes('waiting')));
    expect(await waiting(later({ hours: 1 }))).toEqual([]);
    expect(await waiting(later({ hours: 1, ms: 1 }))).toHaveLength(2);
  });

  test('it is held for a person; that is a notice, not drift', async () => {
    await books.plant(
      `update usage_outbox set state = 'held', settled_at = now() where id = '${books.is.metered.purchaseId}'`,
    );
    const audit = await auditBooks(world.db, noon);
    expect(audit).toMatchObject({
      drift: [],
      notices: [expect.stringContaining(books.is.metered.purchaseId)],
    });
  });

  test('Stripe did not cancel it after it was voided; that is a notice', async () => {
    await books.plant(`update usage_outbox set state = 'void', void_reason = 'x', settled_at = now(),
      first_tried_at = now(), cancellation = 'expired' where id = '${books.is.metered.purchaseId}'`);
    expect((await auditBooks(world.db, noon)).notices).toEqual([
      expect.stringMatching(`usage ${books.is.metered.purchaseId} .* did not cancel it within a day`),
    ]);
  });

  test('it occurred after the end of the subscription; that is a notice', async () => {
    const { purchaseId, accountId } = books.is.metered;
    const endsAt = (at: string) =>
      world.sql(`update subscriptions set ends_at = ${at} where account_id = $1`, [accountId]);
    const occurred = `(select occurred_at from usage_outbox where id = '${purchaseId}')`;
    const named = expect.stringMatching(`usage ${purchaseId} .* after the end of subscription`);
    await endsAt(`${occurred} + interval '1 ms'`);
    expect((await auditBooks(world.db, noon)).notices).not.toContainEqual(named);
    await endsAt(occurred);
    expect((await auditBooks(world.db, noon)).notices).toContainEqual(named);
    await endsAt('null');
  });
});

describe('checkouts: the audit reports drift when', () => {
  const change = (what: string) =>
    books.plant(`update checkouts set ${what} where id = '${books.is.checkoutId}'`);

  test('a checkout gave another number of credits than was paid for', async () => {
    await change('credits = 600');
    expect(await books.drift()).toEqual([
      expect.stringMatching(/was paid for 600 credits, but its transfer \d+ gave 500/),
      expect.stringMatching(/its payment requires 60/),
    ]);
  });

  test('a checkout names a transfer that is not a purchase', async () => {
    await change(`purchase_transfer_id = (select charge_transfer_id from report_purchases
      where id = '${books.is.completed.purchaseId}')`);
    expect(await books.drift()).toEqual([
      expect.stringMatching(/was paid for 500 credits, but its transfer \d+ gave 0/),
      expect.stringMatching(/transfer \d+ is a purchase without a checkout/),
    ]);
  });

  test('a checkout records another number of credits as taken back than were', async () => {
    await change('taken_back_credits = 49');
    expect(await books.drift()).toEqual([
      expect.stringMatching(/records 49 credits as taken back, but its adjustments took 50/),
      expect.stringMatching(/took 49 credits back and is owed 0, but its payment requires 50/),
    ]);
  });

  test.each([
    ['the payment was not refunded', 'refunded_usd_cents = 0', 0],
    ['a cent more was refunded', 'refunded_usd_cents = 71', 51],
    ['the payment is disputed', 'disputed = true', 500],
  ])('credits were taken back for 70 cents, but %s', async (_what, changed, required) => {
    await change(changed);
    expect(await books.drift()).toEqual([
      expect.stringContaining(`took 50 credits back and is owed 0, but its payment requires ${required}`),
    ]);
  });

  test('an account owes credits that were not collected', async () => {
    await change('disputed = true, owed_credits = 450');
    expect(await books.drift()).toEqual([
      `account ${books.is.payer} has 450 purchased credits, but owes 450 that were not collected from them`,
    ]);
  });

  test('credits are owed; that is a notice, not drift', async () => {
    await spendCredits(world.db, books.is.payer, 450);
    const disputed = { refundedUsdCents: 70, disputed: true };
    await recordPaymentState(world.db, `pi_${books.is.checkoutId}`, disputed, noon);
    const audit = await auditBooks(world.db, noon);
    expect(audit).toMatchObject({
      drift: [],
      notices: [expect.stringContaining(`account ${books.is.payer} owes 450`)],
    });
  });
});
