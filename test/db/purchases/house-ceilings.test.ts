import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { restoreAccount, suspendAccount } from '../../../db/accounts/standing.js';
import { readHouseToday } from '../../../db/house/house-day.js';
import { readSpend } from '../../../db/house/spend.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { findUsableGrant } from '../../../db/ledger/weekly-grants.js';
import { recordProviderCall } from '../../../db/pricing/provider-calls.js';
import type { CeilingNotice } from '../../../purchase/house-ceilings.js';
import type { PurchaseRequest } from '../../../purchase/purchase.js';
import { unlimitedSales } from '../../council/fixtures.js';
import { subscribe } from '../../support/service/subscribe.js';
import { putKey, setVerified } from '../support/account-steps.js';
import {
  answeredCall,
  bought,
  buy,
  complete,
  isSold,
  recordCost,
  refund,
  sell,
} from '../support/purchases.js';
import { countRows, inParallel, later, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const oneDollar = { houseLimitUsdMicros: 1_000_000 };
const oneDollarOfGrants = { grantLimitUsdMicros: 1_000_000 };

/** Each test has days of its own. */
let days = 0;
const nextDay = () => later({ hours: 48 * ++days });

type Fields = Partial<PurchaseRequest> & { readonly accountId: string };
type Policy = Parameters<typeof buy>[2];

const fresh = async (fields: Fields, now: Date, more: Policy = {}) =>
  buy(world.db, { eventId: await world.openEvent(), utcDay: dayOf(now), ...fields }, { now, ...more });

const sold = (fields: Fields, now: Date, more: Policy = {}) =>
  sell(world, { utcDay: dayOf(now), ...fields }, { now, ...more });

const dayOf = (now: Date) => now.toISOString().slice(0, 10);

const taken = async (now: Date) => {
  const { all } = await readHouseToday(world.db, { simulated: true, now });
  return { spent: all.spentUsdMicros, committed: all.committedUsdMicros, runs: all.openRuns };
};

const house = { refused: 'house_limit_reached' };

describe('the ceiling of a day', () => {
  test('of forty accounts at once, as many are charged as fit below it, plus at most one run', async () => {
    const now = nextDay();
    const accounts = await inParallel(40, () => world.openAccount(500));
    const notices: CeilingNotice[] = [];
    const onCeiling = (notice: CeilingNotice) => void notices.push(notice);
    const outcomes = await inParallel(40, index =>
      fresh({ accountId: accounts[index] ?? '' }, now, { policy: oneDollar, onCeiling }),
    );
    // Each run is expected to cost 0.40 USD.
    expect(outcomes.filter(isSold)).toHaveLength(3);
    expect(outcomes.filter(each => each !== 'fresh_needed' && 'refused' in each)).toHaveLength(37);
    expect(outcomes).toContainEqual(expect.objectContaining({ ...house, retryAfterSeconds: 12 * 3_600 }));
    const balances = await Promise.all(accounts.map(id => balanceCredits(world.db, id, 'purchased')));
    expect(balances.sort((a, b) => a - b)).toEqual([...Array(3).fill(380), ...Array(37).fill(500)]);
    expect(await taken(now)).toEqual({ spent: 0, committed: 1_200_000, runs: 3 });
    expect(notices.map(({ ceiling, percent }) => `${ceiling} ${percent}`).sort()).toEqual([
      'all 100',
      'all 50',
      'all 80',
    ]);
    await closeAll();
    const tomorrow = later({ hours: 12 }, now);
    expect(await fresh({ accountId: accounts[0] ?? '' }, tomorrow, { policy: oneDollar })).toMatchObject({
      kind: 'fresh',
    });
    await closeAll();
  });

  test('counts what the calls of the day cost, also of failed runs and after their end, and no day twice', async () => {
    const now = later({ hours: 11.5 }, nextDay());
    const accountId = await world.openAccount(5_000);
    const run = { accountId, purchaseId: randomUUID() };
    const { reportId } = await sold(run, now);
    expect(await taken(now)).toEqual({ spent: 0, committed: 400_000, runs: 1 });
    await recordCost(world.db, reportId, 150_000, now);
    expect(await taken(now)).toEqual({ spent: 150_000, committed: 250_000, runs: 1 });
    const midnight = later({ hours: 0.5 }, now);
    expect(await taken(midnight)).toEqual({ spent: 0, committed: 250_000, runs: 1 });
    await recordCost(world.db, reportId, 300_000, midnight);
    expect(await taken(midnight)).toEqual({ spent: 300_000, committed: 0, runs: 1 });
    await refund(world.db, run, midnight);
    await recordCost(world.db, reportId, 70_000, midnight);
    expect(await taken(midnight)).toEqual({ spent: 370_000, committed: 0, runs: 0 });
    expect((await taken(now)).spent).toBe(150_000);
  });

  test('a few cheap runs do not make the next ones look free', async () => {
    const now = nextDay();
    const accountId = await world.openAccount(5_000);
    for (const _ of Array(30)) {
      const done = await sold({ accountId: await world.openAccount(500) }, now);
      await complete(world.db, done.reportId, 1, now);
    }
    await sold({ accountId }, now);
    expect((await taken(now)).committed).toBe(200_000);
    await closeAll();
  });

  test('bounds credits, subscriptions and weekly grants, and never a caller’s own keys; a refusal writes no row', async () => {
    const now = nextDay();
    const stop = { policy: { houseLimitUsdMicros: 0 } };
    const granted = await world.openAccount(500, { weeklyGrant: true });
    const subscribed = await world.openAccount(0);
    await subscribe(world.db, subscribed);
    const ownKeys = await world.openAccount(500);
    await putKey(world, ownKeys);
    const eventId = await world.openEvent();
    // The first one stores that the ceiling is reached.
    expect(await fresh({ accountId: granted }, now, stop)).toMatchObject(house);
    const before = await countRows(world);
    expect(await buy(world.db, { accountId: granted, eventId }, { ...stop, now })).toMatchObject(house);
    expect(await countRows(world)).toEqual(before);
    expect(await fresh({ accountId: granted, quotedPool: 'purchased' }, now, stop)).toMatchObject(house);
    expect(await fresh({ accountId: subscribed, lane: 'subscription' }, now, stop)).toMatchObject(house);
    const own = await sold({ accountId: ownKeys, lane: 'byok' }, now, stop);
    await recordCost(world.db, own.reportId, 900_000, now);
    expect(await taken(now)).toEqual({ spent: 0, committed: 0, runs: 0 });
  });

  test('owned and cached reports, and repeats of a sold purchase, go on', async () => {
    const now = nextDay();
    const stop = { now, policy: { houseLimitUsdMicros: 0 } };
    const purchase = await sell(
      world,
      { utcDay: dayOf(now), idempotency: { key: 'k', fingerprint: 'f' } },
      { now },
    );
    const { reportId, eventId } = purchase;
    const other = await world.openAccount(500);
    expect(await buy(world.db, purchase, stop)).toMatchObject({ kind: 'fresh', reportId });
    expect(await buy(world.db, { ...purchase, purchaseId: randomUUID() }, stop)).toMatchObject({
      reportId,
      replayed: true,
    });
    expect(
      await buy(world.db, { ...purchase, purchaseId: randomUUID(), idempotency: null }, stop),
    ).toMatchObject({ kind: 'owned' });
    await complete(world.db, reportId, 400_000, now);
    expect(await buy(world.db, { accountId: other, eventId, utcDay: dayOf(now) }, stop)).toMatchObject({
      kind: 'cached',
    });
  });
});

describe('the ceiling for weekly grants', () => {
  test('of twenty accounts at once, as many reports are free as fit below it, and no balance changes', async () => {
    const now = nextDay();
    const accounts = await inParallel(20, () => world.openAccount(500, { weeklyGrant: true }));
    const outcomes = await inParallel(20, index =>
      fresh({ accountId: accounts[index] ?? '', quotedCredits: 120 }, now, { policy: oneDollarOfGrants }),
    );
    expect(outcomes.filter(isSold)).toHaveLength(Math.ceil(1_000_000 / (await estimate())));
    const balances = await Promise.all(accounts.map(id => balanceCredits(world.db, id, 'purchased')));
    expect(new Set(balances)).toEqual(new Set([500]));
  });

  test('purchased credits pay in place of the grant only if the caller was told so, and the grant stays', async () => {
    const now = nextDay();
    const stop = { policy: { grantLimitUsdMicros: 0 } };
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    for (const quotedPool of [null, 'weekly_grant'] as const) {
      const outcome = await fresh({ accountId, quotedPool, quotedCredits: 120 }, now, stop);
      expect(outcome).toMatchObject({ ...house, retryAfterSeconds: 12 * 3_600 });
    }
    const paid = await sold({ accountId, quotedPool: 'purchased' }, now, stop);
    expect(paid.pool).toBe('purchased');
    expect(await findUsableGrant(world.db, accountId, { now, policy: unlimitedSales })).not.toBeNull();
    const poor = await world.openAccount(10, { weeklyGrant: true });
    expect(await fresh({ accountId: poor, quotedPool: 'purchased' }, now, stop)).toMatchObject(house);
    const usedUp = await world.openAccount(500);
    expect(await sold({ accountId: usedUp }, now, stop)).toMatchObject({ pool: 'purchased' });
  });

  test('a caller who was quoted the grant is not charged once it is used', async () => {
    const now = nextDay();
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    expect(await sold({ accountId, quotedPool: 'weekly_grant' }, now)).toMatchObject({
      pool: 'weekly_grant',
    });
    expect(await fresh({ accountId, quotedPool: 'weekly_grant' }, now)).toMatchObject({
      refused: 'quote_expired',
    });
    expect(await balanceCredits(world.db, accountId, 'purchased')).toBe(500);
  });
});

describe('an account', () => {
  test('that is suspended buys nothing on any lane, and keeps what it owns', async () => {
    const now = nextDay();
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    await subscribe(world.db, accountId);
    await putKey(world, accountId);
    const eventId = await world.openEvent();
    const owned = { accountId, eventId, utcDay: dayOf(now), idempotency: { key: 'k', fingerprint: 'f' } };
    const { reportId } = await bought(world.db, owned, { now });
    expect(await suspendAccount(world.db, { accountId, reason: 'abuse', now })).toBe(true);
    expect(await suspendAccount(world.db, { accountId, reason: 'again', now })).toBe(false);
    for (const lane of ['credits', 'subscription', 'byok'] as const) {
      expect(await fresh({ accountId, lane }, now)).toMatchObject({ refused: 'account_suspended' });
    }
    expect(await buy(world.db, owned, { now })).toMatchObject({ reportId, replayed: true });
    expect(await buy(world.db, { ...owned, idempotency: null }, { now })).toMatchObject({ kind: 'owned' });
    await complete(world.db, reportId, 1, now);
    expect(await buy(world.db, { ...owned, idempotency: null }, { now })).toMatchObject({
      kind: 'owned',
      status: 'completed',
    });
    expect(await restoreAccount(world.db, accountId)).toBe(true);
    expect(await fresh({ accountId }, now)).toMatchObject({ kind: 'fresh' });
  });

  test('whose address is not verified pays with purchased credits, and has its grant once it is', async () => {
    const now = nextDay();
    const policy = { grantNeedsVerifiedAddress: true };
    const accountId = await world.openAccount(120, { weeklyGrant: true });
    const usable = () =>
      findUsableGrant(world.db, accountId, { now, policy: { ...unlimitedSales, ...policy } });
    expect(await usable()).toBeNull();
    expect(await sold({ accountId }, now, { policy })).toMatchObject({ pool: 'purchased' });
    expect(await fresh({ accountId }, now, { policy })).toMatchObject({ refused: 'insufficient_credits' });
    await setVerified(world, accountId, true);
    expect(await usable()).not.toBeNull();
    expect(await sold({ accountId }, now, { policy })).toMatchObject({ pool: 'weekly_grant' });
  });
});

test('the spend of a day is by lane, pool, model and stage, and adds up to what the house spent', async () => {
  const now = nextDay();
  const { reportId } = await sold({ accountId: await world.openAccount(500) }, now);
  const granted = await sold({ accountId: await world.openAccount(0, { weeklyGrant: true }) }, now);
  const call = (fields: Parameters<typeof answeredCall>[1]) =>
    recordProviderCall(world.db, answeredCall(reportId, { now, ...fields }));
  const cached = { inputTokens: 500, cachedInputTokens: 200, cacheWriteTokens: 300 };
  await call({ stage: 'research', model: 'gpt', searches: 3, costUsdMicros: 30_000, ...cached });
  await call({ stage: 'opinions', model: 'gpt', costUsdMicros: 10_000 });
  const unreported = { outcome: 'timed_out', costUsdMicros: 0, estimatedUsdMicros: 5_000 } as const;
  await call({ stage: 'opinions', model: 'gpt', ...unreported });
  await recordCost(world.db, granted.reportId, 2_000, now);
  await recordCost(world.db, granted.reportId, 1_000, later({ hours: 24 }, now));
  const share = { inputTokens: 500, cachedInputTokens: 200 };
  const twoCalls = { calls: 2, costUsdMicros: 10_000, estimatedUsdMicros: 5_000 };
  const lines = await readSpend(world.db, { simulated: true, day: dayOf(now) });
  expect(lines).toEqual([
    expect.objectContaining({ pool: 'purchased', model: 'gpt', stage: 'opinions', ...twoCalls }),
    expect.objectContaining({ pool: 'purchased', stage: 'research', calls: 1, searches: 3, ...share }),
    expect.objectContaining({ lane: 'credits', pool: 'weekly_grant', costUsdMicros: 2_000 }),
  ]);
  const { all, weekly_grants } = await readHouseToday(world.db, { simulated: true, now });
  expect(all.spentUsdMicros).toBe(47_000);
  expect(weekly_grants.spentUsdMicros).toBe(2_000);
});

/** What one run is expected to cost now. */
async function estimate(): Promise<number> {
  const [row] = await world.sql(
    'select estimate_usd_micros as estimate from quotes where simulated order by id desc limit 1',
  );
  return Math.max(200_000, row.estimate);
}

/** Refunds the runs that a test left open, so that they take nothing from the next. */
async function closeAll(): Promise<void> {
  const open = await world.sql(
    `select p.id, p.account_id from report_purchases p join reports r on r.id = p.report_id
     where r.status in ('pending', 'processing') and p.kind = 'fresh' and p.state = 'charged'`,
  );
  for (const { id, account_id } of open) await refund(world.db, { purchaseId: id, accountId: account_id });
}
