import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { at } from '../../../council/numbers.js';
import { readOwedCredits } from '../../../db/billing/reverse-purchase.js';
import { readHouseToday } from '../../../db/house/house-day.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { recordProviderCall } from '../../../db/pricing/provider-calls.js';
import { until } from '../../support/until.js';
import { boughtCheckout, stand } from '../support/checkouts.js';
import { answeredCall, bought, buy, complete, isSold, refund, sell } from '../support/purchases.js';
import { inParallel, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

// Ceilings far above what the day has taken, under which sales do not wait for each other. These tests come first, because
// they count on what the day has taken.

/** What a run is expected to cost while none has completed. */
const runUsdMicros = 400_000;

/** As many sales can be decided at once. */
const sessions = async () => {
  const [{ max_connections }] = await world.sql('show max_connections');
  return Number(max_connections);
};

const sellBelow = async (houseLimitUsdMicros: number, simulated: boolean, grantLimitUsdMicros = Infinity) =>
  buy(
    world.db,
    { accountId: await world.openAccount(500), eventId: await world.openEvent() },
    { policy: { houseLimitUsdMicros, grantLimitUsdMicros }, simulated },
  );

test('a sale waits for no other, until as many as there are sessions could reach the ceiling', async () => {
  const limit = (await sessions()) * runUsdMicros + 1;
  await world.together(async other => {
    await other.query('select pg_advisory_xact_lock_shared(7107004)');
    expect(await sellBelow(limit, true)).toMatchObject({ kind: 'fresh' });
    const waiting = sellBelow(limit, true);
    await until('the sale waits', async () => {
      const [{ waits }] = await world.sql(
        `select count(*) as waits from pg_locks join pg_database on pg_database.oid = database
         where datname = current_database() and objid = 7107004 and not granted`,
      );
      return waits === 1;
    });
    await other.query('commit');
    expect(await waiting).toMatchObject({ kind: 'fresh' });
  });
});

test('near the ceiling for weekly grants, a sale that none could pay waits for no other', async () => {
  await world.together(async other => {
    await other.query('select pg_advisory_xact_lock_shared(7107004)');
    expect(await sellBelow(Infinity, true, runUsdMicros)).toMatchObject({ pool: 'purchased' });
    await other.query('commit');
  });
});

test('of sales at once that begin far below a ceiling, as many are charged as fit below it', async () => {
  const fit = (await sessions()) + 5;
  // In lanes, because a sale waits only some seconds for a connection.
  const lanes = 20;
  let [begun, charged] = [0, 0];
  await inParallel(lanes, async () => {
    while (begun++ < fit + lanes) {
      if (isSold(await sellBelow(fit * runUsdMicros, false))) charged++;
    }
  });
  expect(charged).toBe(fit);
});

test('a call that is recorded again counts once, and every one of many at once', async () => {
  const { reportId } = await sell(world);
  const spent = async () =>
    (await readHouseToday(world.db, { simulated: true, now: noon })).all.spentUsdMicros;
  const calls = Array.from({ length: 40 }, (_, index) =>
    answeredCall(reportId, { costUsdMicros: 1_000, estimatedUsdMicros: index }),
  );
  await Promise.all([...calls, ...calls].map(call => recordProviderCall(world.db, call)));
  expect(await spent()).toBe(40_780);
  await world.sql(
    `insert into provider_calls (report_id, stage, model, model_id, outcome, latency_ms, simulated, called_at,
       cost_usd_micros)
     select $1, 'opinions', 'gpt', 'm', 'answered', 1, true, $2, 1 from generate_series(1, 100)`,
    [reportId, noon],
  );
  expect(await spent()).toBe(40_880);
});

/** Events with a completed report of another account, so only the balance limits a buyer. */
async function finishedEvents(count: number): Promise<string[]> {
  return inParallel(count, async () => {
    const { reportId, eventId } = await sell(world);
    await complete(world.db, reportId);
    return eventId;
  });
}

test('of sixty concurrent purchases exactly as many succeed as the balance pays for', async () => {
  const events = await finishedEvents(60);
  const { creditsSpent: price } = await sell(world, { eventId: at(events, 0) });
  const accountId = await world.openAccount(17 * price + price - 1);
  const outcomes = await Promise.all(events.map(eventId => buy(world.db, { accountId, eventId })));
  const sold = outcomes.filter(isSold);
  const refused = outcomes.filter(
    outcome => !isSold(outcome) && outcome !== 'fresh_needed' && outcome.refused === 'insufficient_credits',
  );
  expect([sold.length, refused.length]).toEqual([17, 43]);
  expect(await balanceCredits(world.db, accountId, 'purchased')).toBe(price - 1);
  const [{ purchases }] = await world.sql(
    'select count(*) as purchases from report_purchases where account_id = $1',
    [accountId],
  );
  expect(purchases).toBe(17);
});

/**
 * A sale that a weekly grant pays issues credits and then earns them; the refund of a debtor returns what was earned and
 * then takes back what was issued. Each writes to both accounts of the house.
 */
test('sales by weekly grants and refunds that collect a debt never deadlock', async () => {
  for (const _ of Array(5)) {
    const debtors = await inParallel(10, openedDebt);
    const granted = await inParallel(10, () => world.openAccount(0, { weeklyGrant: true }));
    const events = await inParallel(10, () => world.openEvent());
    await inParallel(10, async index => {
      const debtor = at(debtors, index);
      await Promise.all([
        bought(world.db, { accountId: at(granted, index), eventId: at(events, index) }),
        refund(world.db, debtor),
      ]);
      expect(await readOwedCredits(world.db, debtor.accountId)).toBe(0);
    });
  }
});

/** A run that was paid with credits whose payment was refunded since. */
async function openedDebt(): Promise<{ accountId: string; purchaseId: string }> {
  const accountId = await world.openAccount();
  const purchaseId = randomUUID();
  const checkout = await boughtCheckout(world, accountId);
  await bought(world.db, { accountId, purchaseId, eventId: await world.openEvent() });
  await stand(world, checkout, { refundedUsdCents: 700 });
  expect(await readOwedCredits(world.db, accountId)).toBe(120);
  return { accountId, purchaseId };
}
