import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { purchaseReport, reserveReportId } from '../../../db/purchases/purchases.js';
import { settleOrWithdraw } from '../../../db/purchases/refunds.js';
import { countRows } from '../support/count-rows.js';
import { inParallel } from '../support/in-parallel.js';
import { bought, buy, complete, refund, request } from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const balance = (accountId: string) => balanceCredits(world.db, accountId, 'purchased');

const buyer = async (credits = 1_000) => ({
  accountId: await world.openAccount(credits),
  eventId: await world.openEvent(),
});

describe('one purchase is charged once', () => {
  test('though it is tried forty times at once, and every try is told the same', async () => {
    const wish = { ...(await buyer()), purchaseId: randomUUID() };
    const receipts = await inParallel(40, () => buy(world.db, wish));
    expect(new Set(receipts.map(receipt => JSON.stringify(receipt))).size).toBe(1);
    expect(receipts[0]).toMatchObject({ kind: 'fresh', status: 'pending', creditsSpent: 120 });
    expect(await balance(wish.accountId)).toBe(880);
  });

  test('and forty purchases of one report at once are one charge and thirty-nine that own it', async () => {
    const wish = await buyer();
    const receipts = await inParallel(40, () => bought(world.db, wish));
    expect(new Set(receipts.map(({ reportId }) => reportId)).size).toBe(1);
    expect(receipts.filter(({ kind }) => kind === 'fresh')).toHaveLength(1);
    expect(receipts.filter(({ kind, creditsSpent }) => kind === 'owned' && creditsSpent === 0)).toHaveLength(
      39,
    );
    expect(await balance(wish.accountId)).toBe(880);
  });

  test('and it stays charged at what it was, when it is tried again after its report is done', async () => {
    const wish = { ...(await buyer()), purchaseId: randomUUID() };
    const first = await bought(world.db, wish);
    await complete(world.db, first.reportId);
    expect(await bought(world.db, wish, { now: later({ hours: 1 }) })).toEqual(first);
    expect(await balance(wish.accountId)).toBe(880);
  });

  test('of many events at once exactly as many are sold as are paid for', async () => {
    const accountId = await world.openAccount(120 * 3 + 119);
    const events = await inParallel(8, () => world.openEvent());
    const outcomes = await Promise.all(events.map(eventId => buy(world.db, { accountId, eventId })));
    expect(outcomes.filter(outcome => outcome !== 'fresh_needed' && 'kind' in outcome)).toHaveLength(3);
    expect(await balance(accountId)).toBe(119);
  });
});

describe('a charge that was withdrawn before it came is never made', () => {
  const ways: readonly (readonly [string, (wish: Wish) => Promise<unknown>])[] = [
    ['settled as not made', wish => settleOrWithdraw(world.db, { ...wish, now: noon })],
    ['refunded before it was charged', wish => refund(world.db, wish)],
  ];
  test.each(ways)('%s', async (_, withdraw) => {
    const wish = { ...(await buyer()), purchaseId: randomUUID() };
    await withdraw(wish);
    expect(await buy(world.db, wish)).toMatchObject({ refused: 'unavailable' });
    expect(await balance(wish.accountId)).toBe(1_000);
    expect(await world.sql('select from reports where event_id = $1', [wish.eventId])).toEqual([]);
  });

  test('whichever comes first, when both come at once: the caller is told what happened', async () => {
    const rounds = await inParallel(20, async () => {
      const wish = { ...(await buyer()), purchaseId: randomUUID() };
      const [charged, settled] = await Promise.all([
        buy(world.db, wish),
        settleOrWithdraw(world.db, { ...wish, now: noon }),
      ]);
      return { same: JSON.stringify(charged) === JSON.stringify(settled), charged, wish };
    });
    for (const { same, charged, wish } of rounds) {
      const made = charged !== 'fresh_needed' && 'kind' in charged;
      expect([same || !made, await balance(wish.accountId)]).toEqual([true, made ? 880 : 1_000]);
    }
  });

  test('and a purchase that was made is settled with its receipt, as often as is asked', async () => {
    const wish = { ...(await buyer()), purchaseId: randomUUID() };
    const receipt = await bought(world.db, wish);
    expect(await settleOrWithdraw(world.db, { ...wish, now: noon })).toEqual(receipt);
    expect(await settleOrWithdraw(world.db, { ...wish, now: later({ hours: 2 }) })).toEqual(receipt);
    expect(await balance(wish.accountId)).toBe(880);
  });

  test('not even by hand: a withdrawn purchase cannot be made a charge, nor be removed', async () => {
    const wish = { ...(await buyer()), purchaseId: randomUUID() };
    await settleOrWithdraw(world.db, { ...wish, now: noon });
    const revive = world.sql(`update report_purchases set state = 'charged' where id = $1`, [
      wish.purchaseId,
    ]);
    await expect(revive).rejects.toThrow(/has ended/);
    const remove = world.sql('delete from report_purchases where id = $1', [wish.purchaseId]);
    await expect(remove).rejects.toThrow(/keeps its rows/);
    await expect(world.sql('truncate report_purchases cascade')).rejects.toThrow(/keeps its rows/);
  });
});

describe('what the caller was told is "unavailable" is not charged', () => {
  test('one millisecond after the answer was due, nothing is written', async () => {
    const wish = await buyer();
    const before = await countRows(world);
    const late = later({ ms: 1 });
    expect(await buy(world.db, { ...wish, answerBy: noon.toISOString() }, { now: late })).toMatchObject({
      refused: 'unavailable',
    });
    expect(await countRows(world)).toEqual(before);
  });

  test('at the very instant it is due, it is still sold', async () => {
    const wish = await buyer();
    expect(await buy(world.db, { ...wish, answerBy: noon.toISOString() })).toMatchObject({ kind: 'fresh' });
  });

  test('a try that comes late is told of the charge that an earlier try made', async () => {
    const wish = { ...(await buyer()), purchaseId: randomUUID(), answerBy: noon.toISOString() };
    const receipt = await bought(world.db, wish);
    expect(await buy(world.db, wish, { now: later({ minutes: 5 }) })).toEqual(receipt);
  });
});

describe('a caller pays once for a report', () => {
  test('in flight, and finished, it is theirs for nothing', async () => {
    const wish = await buyer();
    const first = await bought(world.db, wish);
    const owned = { reportId: first.reportId, kind: 'owned', creditsSpent: 0 };
    expect(await bought(world.db, wish)).toMatchObject({ ...owned, status: 'pending' });
    await complete(world.db, first.reportId);
    expect(await bought(world.db, wish)).toMatchObject({ ...owned, status: 'completed' });
    expect(await balance(wish.accountId)).toBe(880);
  });

  test('owning costs nothing even without a credit left and under an absurd quote', async () => {
    const wish = await buyer(120);
    await bought(world.db, wish);
    expect(await bought(world.db, { ...wish, quotedCredits: 1 })).toMatchObject({ kind: 'owned' });
  });

  test('what one account is running is not owned, nor shared, by another', async () => {
    const wish = await buyer();
    const first = await bought(world.db, wish);
    const other = { ...wish, accountId: await world.openAccount(1_000) };
    const second = await bought(world.db, other);
    expect(second).toMatchObject({ kind: 'fresh', creditsSpent: 120 });
    expect(second.reportId).not.toBe(first.reportId);
  });

  test('the next day is another report', async () => {
    const wish = await buyer();
    const first = await bought(world.db, wish);
    await complete(world.db, first.reportId);
    const next = await bought(world.db, { ...wish, utcDay: '2031-03-06' });
    expect([next.kind, next.reportId === first.reportId]).toEqual(['fresh', false]);
  });

  test('a live report of the day cannot be opened twice for one account, not even by hand', async () => {
    const wish = await buyer();
    const { reportId } = await bought(world.db, wish);
    const again = world.sql(
      `insert into reports (account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, status, seed, created_at)
       select account_id, event_id, event_title, utc_day, workflow_id, lane, simulated, 'pending', seed, created_at
       from reports where id = $1`,
      [reportId],
    );
    await expect(again).rejects.toThrow(/reports_one_live_a_day/);
  });
});

describe('the number of a report', () => {
  const openedAs = async (reserved: { reportId?: number }) => {
    const wish = await buyer();
    const setting = { now: noon, simulated: true, eventTitle: 'Rain?', workflowId: 'test', seed: 'seed' };
    return purchaseReport(world.db, request(wish), { ...setting, ...reserved }, 'fresh');
  };

  test('is the one that was reserved for it, and no other report is ever given that', async () => {
    const [first, second] = [await reserveReportId(world.db), await reserveReportId(world.db)];
    expect(await openedAs({})).toMatchObject({ reportId: second + 1 });
    expect(await openedAs({ reportId: first })).toMatchObject({ reportId: first });
    expect(await openedAs({})).toMatchObject({ reportId: second + 2 });
    await expect(openedAs({ reportId: first })).rejects.toThrow(/duplicate key/);
  });
});

test('a purchase that fails on its way leaves nothing behind', async () => {
  const wish = await buyer();
  const before = await countRows(world);
  const broken = purchaseReport(
    world.db,
    request({ ...wish, apiKeyId: randomUUID() }),
    { now: noon, simulated: true, eventTitle: 'Rain?', workflowId: 'test', seed: 'seed' },
    'fresh',
  );
  await expect(broken).rejects.toThrow(/foreign key/);
  expect(await countRows(world)).toEqual(before);
  expect(await balance(wish.accountId)).toBe(1_000);
});

interface Wish {
  readonly accountId: string;
  readonly eventId: string;
  readonly purchaseId: string;
}
