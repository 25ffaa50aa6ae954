import { describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { recordPaymentState } from '../../../db/billing/checkouts.js';
import { expireGrants } from '../../../db/ledger/weekly-grants.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { horizonAfterAll, usePlantedBooks } from '../support/planted-books.js';
import { changes, damages, type Fault } from '../support/planted-faults.js';
import { complete, sell } from '../support/purchases.js';
import { spendCredits } from '../support/spend-credits.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const books = usePlantedBooks(world);

describe('correct books', () => {
  test('have no drift up to the last moment before something is overdue, and each kind of row is read', async () => {
    const { drift, notices, checked } = await auditBooks(world.db, noon);
    expect({ drift, notices }).toEqual({ drift: [], notices: [] });
    expect(checked).toMatchObject({ purchases: 8, usage: 2, checkouts: 1 });
    expect(checked.entries).toBeGreaterThan(checked.transfers);
    expect(await books.drift(later({ minutes: 15 }))).toEqual([]);
  });

  test('are not changed by the audit', async () => {
    const before = await books.everything();
    await auditBooks(world.db, later({ hours: 1_000 }));
    expect(await books.everything()).toEqual(before);
  });
});

describe('the audit reports drift when', () => {
  const plant = async (fault: Fault) => {
    const [change, ...drift] = fault(books.is);
    await books.plant(change);
    expect(await books.drift()).toEqual(
      drift.map(summary => (typeof summary === 'string' ? summary : expect.stringMatching(summary))),
    );
  };

  test.each(Object.entries(changes))(
    '%s, also an audit of the changes, which reads little',
    async (_, fault) => {
      await plant(fault);
      const { drift, checked } = await books.changes();
      expect(drift).toEqual(await books.drift());
      expect(checked.purchases).toBeLessThanOrEqual(2);
    },
  );

  test.each(Object.entries(damages))('%s', (_, fault) => plant(fault));

  test('several faults are there: it reports every one, not only the first', async () => {
    for (const what of ['a report failed but was not refunded', 'a report paid in credits is also metered']) {
      await books.plant(changes[what]?.(books.is)[0] ?? '');
    }
    await books.plant(`update report_purchases set credits = 7 where id = '${books.is.refunded.purchaseId}'`);
    expect(await books.drift()).toHaveLength(4);
  });
});

describe('the audit reports what is overdue:', () => {
  const named = async (word: string, now: Date) =>
    (await books.drift(now)).filter(each => each.includes(word));

  test('a purchase that is neither delivered nor refunded 15 minutes after it began', async () => {
    const { reportId, purchaseId } = books.is.inFlight;
    expect(await books.drift(later({ minutes: 15, ms: 1 }))).toEqual([
      `report ${reportId} is stranded: charged by purchase ${purchaseId}, still pending after 15 minutes`,
    ]);
  });

  test('a lot that still holds credits an hour after its end, until they are taken back', async () => {
    const { accountId } = books.is.givenBack;
    const [{ end }] = await world.sql(
      'select usable_until as "end" from weekly_grants where account_id = $1',
      [accountId],
    );
    expect(await named('expired', later({ hours: 1 }, end))).toEqual([]);
    const late = later({ hours: 1, ms: 1 }, end);
    expect(await named('expired', late)).toEqual([expect.stringMatching(/but still holds 120 credits/)]);
    await expireGrants(world.db, () => late);
    expect(await named('expired', late)).toEqual([]);
  });

  test('usage that has waited for more than an hour', async () => {
    expect(await named('waiting', later({ hours: 1 }))).toEqual([]);
    expect(await named('waiting', later({ hours: 1, ms: 1 }))).toHaveLength(2);
  });
});

describe('a notice, and no drift, is', () => {
  const audited = async () => {
    const { drift, notices } = await auditBooks(world.db, noon);
    expect(drift).toEqual([]);
    return notices;
  };

  test.each([
    ['held for a person', `state = 'held', settled_at = now()`, /held/],
    [
      'void, and Stripe did not cancel it',
      `state = 'void', void_reason = 'x', settled_at = now(), first_tried_at = now(), cancellation = 'expired'`,
      /did not cancel it within a day/,
    ],
  ])('usage that is %s', async (_, change, words) => {
    const { purchaseId } = books.is.metered;
    await books.plant(`update usage_outbox set ${change} where id = '${purchaseId}'`);
    const notices = await audited();
    expect(notices).toEqual([expect.stringContaining(`usage ${purchaseId}`)]);
    expect(notices).toEqual([expect.stringMatching(words)]);
  });

  test('usage that occurred after the end of the subscription', async () => {
    const { purchaseId, accountId } = books.is.metered;
    const endsAt = (at: string) =>
      world.sql(`update subscriptions set ends_at = ${at} where account_id = $1`, [accountId]);
    const occurred = `(select occurred_at from usage_outbox where id = '${purchaseId}')`;
    const named = expect.stringMatching(`usage ${purchaseId} .* after the end of subscription`);
    await endsAt(`${occurred} + interval '1 ms'`);
    expect(await audited()).not.toContainEqual(named);
    await endsAt(occurred);
    expect(await audited()).toContainEqual(named);
    await endsAt('null');
  });

  test('what an account owes', async () => {
    const { payer, checkoutId } = books.is;
    await spendCredits(world.db, payer, 450);
    const disputed = { refundedUsdCents: 70, disputed: true };
    await recordPaymentState(world.db, `pi_${checkoutId}`, disputed, noon);
    expect(await audited()).toEqual([expect.stringContaining(`account ${payer} owes 450`)]);
  });
});

describe('an audit of the changes', () => {
  test('compares nothing when nothing was written', async () => {
    const { drift, scope, checked } = await books.changes();
    expect({ drift, scope }).toEqual({ drift: [], scope: 'changes' });
    expect(Object.values(checked).every(rows => rows === 0)).toBe(true);
  });

  test('compares only what one sale wrote', async () => {
    const before = await horizonAfterAll(world);
    await complete(world.db, (await sell(world, { accountId: books.is.buyer })).reportId);
    await sealRecord(world.db);
    const { drift, checked } = await auditBooks(world.db, noon, before);
    expect(drift).toEqual([]);
    expect(checked).toMatchObject({ transfers: 1, entries: 2, purchases: 1, reports: 1, checkouts: 0 });
  });

  test('finds what a transaction wrote that was open while others were audited', async () => {
    const [unsold = ''] = changes['a report paid in credits is also metered']?.(books.is) ?? [];
    let horizon = await horizonAfterAll(world);
    await world.together(async late => {
      await late.query(unsold);
      for (const _ of [1, 2, 3]) {
        await sell(world, { accountId: books.is.buyer });
        await sealRecord(world.db);
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
