import { describe, expect, test } from '@jest/globals';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { expireGrants, findUsableGrant } from '../../../db/ledger/weekly-grants.js';
import { prune } from '../../../db/pruning/prune.js';
import { grantsPerNetworkPerDay, networksPerSite } from '../../../purchase/limits.js';
import type { GrantClaimant } from '../../../purchase/weekly-grant.js';
import { unlimitedSales } from '../../council/fixtures.js';
import { bought, buy, complete, isSold, refund, sell } from '../support/purchases.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const nextSunday = new Date('2031-03-09T23:59:59Z');
const nextMonday = new Date('2031-03-10T00:00:00Z');

const buyFresh = (accountId: string, now = noon) =>
  sell(world, { accountId, utcDay: now.toISOString().slice(0, 10) }, { now });

async function pools(accountId: string) {
  return {
    grant: await balanceCredits(world.db, accountId, 'weekly_grant'),
    purchased: await balanceCredits(world.db, accountId, 'purchased'),
  };
}

describe('the weekly grant', () => {
  test('pays one fresh report in full; purchased credits pay the next, if there are any', async () => {
    const accountId = await world.openAccount(130, { weeklyGrant: true });
    const first = await buyFresh(accountId);
    expect(first).toMatchObject({ pool: 'weekly_grant', creditsSpent: 120 });
    expect(await pools(accountId)).toEqual({ grant: 0, purchased: 130 });
    const second = await buyFresh(accountId);
    expect(second).toMatchObject({ pool: 'purchased', creditsSpent: 120 });
    expect(await pools(accountId)).toEqual({ grant: 0, purchased: 10 });
    expect(await buy(world.db, { accountId, eventId: await world.openEvent() })).toMatchObject({
      refused: 'insufficient_credits',
    });
  });

  test('is not spent on a cached report', async () => {
    const { reportId, eventId } = await sell(world);
    await complete(world.db, reportId);
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    expect(await bought(world.db, { accountId, eventId })).toMatchObject({
      kind: 'cached',
      pool: 'purchased',
    });
    expect(await findUsableGrant(world.db, accountId, { now: noon, policy: unlimitedSales })).not.toBeNull();
  });

  test('is available again from Monday 00:00 UTC, and not a second earlier', async () => {
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    await buyFresh(accountId);
    expect((await buyFresh(accountId, nextSunday)).pool).toBe('purchased');
    expect((await buyFresh(accountId, nextMonday)).pool).toBe('weekly_grant');
  });

  test('is given once under concurrent purchases', async () => {
    const accountId = await world.openAccount(10_000, { weeklyGrant: true });
    const receipts = await inParallel(5, () => sell(world, { accountId }));
    expect(receipts.map(({ pool }) => pool).filter(pool => pool === 'weekly_grant')).toHaveLength(1);
    expect(await pools(accountId)).toEqual({ grant: 0, purchased: 10_000 - 4 * 120 });
  });
});

describe('a refunded weekly grant', () => {
  test('returns to its pool once and exactly, and pays the next fresh report', async () => {
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    const first = await buyFresh(accountId);
    await inParallel(5, () => refund(world.db, first));
    expect(await pools(accountId)).toEqual({ grant: 120, purchased: 500 });
    expect((await buyFresh(accountId)).pool).toBe('weekly_grant');
    expect(await pools(accountId)).toEqual({ grant: 0, purchased: 500 });
    expect((await buyFresh(accountId)).pool).toBe('purchased');
  });

  test('pays the quoted price in full even if that has risen or fallen since', async () => {
    const accountId = await world.openAccount(0, { weeklyGrant: true });
    for (const quotedCredits of [118, 105, 119]) {
      const purchase = await sell(world, { accountId, quotedCredits });
      expect(purchase).toMatchObject({ pool: 'weekly_grant', creditsSpent: quotedCredits });
      expect(await pools(accountId)).toEqual({ grant: 0, purchased: 0 });
      await refund(world.db, purchase);
      expect(await pools(accountId)).toEqual({ grant: quotedCredits, purchased: 0 });
    }
  });

  test('is usable until the end of the week of the refund, besides that week’s own grant', async () => {
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    const late = await buyFresh(accountId, nextSunday);
    await refund(world.db, late, later({ minutes: 1 }, nextMonday));
    const tuesday = later({ hours: 24 }, nextMonday);
    expect((await buyFresh(accountId, tuesday)).pool).toBe('weekly_grant');
    expect((await buyFresh(accountId, tuesday)).pool).toBe('weekly_grant');
    expect((await buyFresh(accountId, tuesday)).pool).toBe('purchased');
  });

  test('returns to the house once when it expires unused, and pays nothing afterwards', async () => {
    const accountId = await world.openAccount(500, { weeklyGrant: true });
    await refund(world.db, await buyFresh(accountId));
    await expireGrants(world.db, () => nextSunday);
    expect((await pools(accountId)).grant).toBe(120);
    await inParallel(4, () => expireGrants(world.db, () => nextMonday));
    expect(await pools(accountId)).toEqual({ grant: 0, purchased: 500 });
    // The grant of the new week is usable; the expired one is not.
    expect((await buyFresh(accountId, nextMonday)).pool).toBe('weekly_grant');
    expect((await buyFresh(accountId, nextMonday)).pool).toBe('purchased');
  });

  test('that cannot be expired keeps no other from it, and expires once it can', async () => {
    const [broken, other] = await inParallel(2, () => world.openAccount(0, { weeklyGrant: true }));
    for (const accountId of [broken ?? '', other ?? '']) await refund(world.db, await buyFresh(accountId));
    const more = (credits: number) =>
      world.sql('update weekly_grants set held_credits = held_credits + $2 where account_id = $1', [
        broken,
        credits,
      ]);
    // More than its pool holds.
    await more(1);
    const { expired, failures } = await expireGrants(world.db, () => nextMonday);
    expect({ expired, failed: failures.map(({ accountId }) => accountId) }).toEqual({
      expired: 1,
      failed: [broken],
    });
    expect((await pools(other ?? '')).grant).toBe(0);
    await more(-1);
    expect(await expireGrants(world.db, () => nextMonday)).toEqual({ expired: 1, failures: [] });
  });

  test('that expired pays for nothing by a clock that is late, and never keeps another from expiring', async () => {
    const [late, other] = [
      await world.openAccount(500, { weeklyGrant: true }),
      await world.openAccount(0, { weeklyGrant: true }),
    ];
    await refund(world.db, await buyFresh(late));
    await expireGrants(world.db, () => nextMonday);
    // Another process, whose clock still shows the old week, sells and refunds.
    const again = await buyFresh(late, nextSunday);
    expect(again.pool).toBe('purchased');
    await refund(world.db, again, later({ minutes: 1 }, nextMonday));
    await refund(world.db, await buyFresh(other, nextMonday), nextMonday);
    const weekAfter = later({ hours: 7 * 24 }, nextMonday);
    expect(await expireGrants(world.db, () => weekAfter)).toEqual({ expired: 1, failures: [] });
    expect(await pools(late)).toEqual({ grant: 0, purchased: 500 });
    expect(await pools(other)).toEqual({ grant: 0, purchased: 0 });
  });
});

describe('the weekly grant of a mailbox and of a network', () => {
  const grantOf = (accountId: string, claimant: GrantClaimant, now = noon) =>
    findUsableGrant(world.db, accountId, { now, policy: unlimitedSales, claimant });
  const claimantOf = (fields: Partial<GrantClaimant>) => ({
    mailbox: crypto.randomUUID(),
    network: null,
    site: null,
    ...fields,
  });
  const tryToBuy = async (accountId: string, claimant: GrantClaimant, now = noon) => {
    const purchaseId = crypto.randomUUID();
    const fields = { accountId, purchaseId, utcDay: now.toISOString().slice(0, 10), claimant };
    const outcome = await buy(world.db, { ...fields, eventId: await world.openEvent() }, { now });
    return { accountId, purchaseId, outcome };
  };
  const newAccounts = (count: number, credits = 0) =>
    inParallel(count, () => world.openAccount(credits, { weeklyGrant: true }));
  const free = { pool: 'weekly_grant' };

  test('ten accounts of one mailbox at once have one grant, and the others pay or are refused', async () => {
    const claimant = claimantOf({});
    const accounts = [...(await newAccounts(5)), ...(await newAccounts(5, 500))];
    const tries = await inParallel(10, index => tryToBuy(accounts[index] ?? '', claimant));
    const isGranted = ({ outcome }: (typeof tries)[number]) =>
      isSold(outcome) && outcome.pool === 'weekly_grant';
    expect(tries.filter(isGranted)).toHaveLength(1);
    for (const { accountId, outcome } of tries.filter(each => !isGranted(each))) {
      const paid = accounts.indexOf(accountId) >= 5;
      expect(outcome).toMatchObject(paid ? { pool: 'purchased' } : { refused: 'insufficient_credits' });
      expect(await grantOf(accountId, claimant)).toBeNull();
    }
  });

  test('a refunded grant is usable again by its account, and by no other of its mailbox', async () => {
    const claimant = claimantOf({ network: crypto.randomUUID() });
    const [first = '', second = ''] = await newAccounts(2);
    const bought = await tryToBuy(first, claimant);
    expect(bought.outcome).toMatchObject(free);
    await refund(world.db, bought);
    expect(await grantOf(second, claimant)).toBeNull();
    expect((await tryToBuy(second, claimant)).outcome).toMatchObject({ refused: 'insufficient_credits' });
    expect((await tryToBuy(first, claimant)).outcome).toMatchObject(free);
  });

  test('a mailbox has a grant again next week, for whichever of its accounts asks first', async () => {
    const claimant = claimantOf({});
    const [first = '', second = ''] = await newAccounts(2);
    expect((await tryToBuy(first, claimant)).outcome).toMatchObject(free);
    expect((await tryToBuy(second, claimant, nextMonday)).outcome).toMatchObject(free);
    expect(await grantOf(first, claimant, nextMonday)).toBeNull();
  });

  test.each([
    ['network', grantsPerNetworkPerDay],
    ['site', grantsPerNetworkPerDay * networksPerSite],
  ] as const)('a %s has %i new grants a day, also for accounts at the same time', async (place, limit) => {
    const value = crypto.randomUUID();
    const accounts = await newAccounts(limit + 2);
    const tries = await inParallel(limit + 2, index =>
      tryToBuy(accounts[index] ?? '', claimantOf({ [place]: value })),
    );
    const refused = tries.filter(({ outcome }) => outcome !== 'fresh_needed' && 'refused' in outcome);
    expect(refused).toHaveLength(2);
    const [late] = refused;
    expect(late?.outcome).toMatchObject({ refused: 'house_limit_reached', retryAfterSeconds: 12 * 3_600 });
    // The grant stays: from elsewhere it pays today, and from here tomorrow.
    const elsewhere = { [place]: crypto.randomUUID() };
    expect((await tryToBuy(late?.accountId ?? '', claimantOf(elsewhere))).outcome).toMatchObject(free);
    const [, last] = refused;
    const tomorrow = later({ hours: 12 });
    const again = await tryToBuy(last?.accountId ?? '', claimantOf({ [place]: value }), tomorrow);
    expect(again.outcome).toMatchObject(free);
  });

  test('a refunded grant does not wait for its network', async () => {
    const network = crypto.randomUUID();
    const accounts = await newAccounts(grantsPerNetworkPerDay);
    const tries = await inParallel(accounts.length, index =>
      tryToBuy(accounts[index] ?? '', claimantOf({ network })),
    );
    const [first] = tries;
    if (first === undefined) throw new Error('nobody bought');
    await refund(world.db, first);
    expect((await tryToBuy(first.accountId, claimantOf({ network }))).outcome).toMatchObject(free);
  });

  test('what a mailbox and a network have claimed is deleted once the week is over', async () => {
    const claimant = claimantOf({});
    const [first = '', second = ''] = await newAccounts(2);
    const monday = new Date('2031-03-03T00:00:00Z');
    expect((await tryToBuy(first, claimant, monday)).outcome).toMatchObject(free);
    await prune(world.db, nextSunday);
    expect(await grantOf(second, claimant, nextSunday)).toBeNull();
    await prune(world.db, later({ hours: 48 }, nextMonday));
    const left = await world.sql(`select 1 from grant_claims where mailbox = '${claimant.mailbox}'`);
    expect(left).toEqual([]);
  });
});
