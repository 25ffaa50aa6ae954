import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { listRows, refuseRow } from '../../../db/batches/batch-rows.js';
import { createBatch, findBatch, listBatches, readBatch } from '../../../db/batches/batches.js';
import { changeBatch, endBatch, pauseBatch, resumeBatch } from '../../../db/batches/change-batch.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { countRunsLeft } from '../../../db/purchases/started-runs.js';
import type { PurchaseOutcome, PurchaseRequest } from '../../../purchase/purchase.js';
import { bought, buy, complete, isSold, refund } from '../support/purchases.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

async function open(fields: Partial<Parameters<typeof createBatch>[1]> = {}) {
  const accountId = fields.accountId ?? (await world.openAccount(100_000));
  const eventIds = fields.eventIds ?? [await world.openEvent()];
  const created = await createBatch(world.db, {
    id: randomUUID(),
    apiKeyId: null,
    name: 'a name',
    lane: 'credits',
    budgetCredits: 100_000,
    maxCreditsEach: null,
    minMembers: 2,
    maxInFlight: 20,
    idempotency: { key: randomUUID(), fingerprint: 'one' },
    now: noon,
    ...fields,
    accountId,
    eventIds,
  });
  if (created === 'mismatch') throw new Error(created);
  if ('nextAt' in created) throw new Error('too many');
  return { id: created.id, accountId, eventIds, now: noon };
}

type Opened = Awaited<ReturnType<typeof open>>;

const events = (count: number) => Promise.all(Array.from({ length: count }, () => world.openEvent()));
const rowsOf = ({ id }: Opened) => listRows(world.db, id, { state: null, after: 0, limit: 500 });
const read = ({ id }: Opened) => readBatch(world.db, id);

function buyRow(
  { id, accountId, eventIds }: Opened,
  position = 1,
  fields: Partial<PurchaseRequest> = {},
): Promise<PurchaseOutcome> {
  const eventId = eventIds[position - 1] ?? '';
  return buy(world.db, { accountId, eventId, row: { batchId: id, position }, ...fields });
}

const buyAll = (batch: Opened) => Promise.all(batch.eventIds.map((_, index) => buyRow(batch, index + 1)));

/** The report of a row that was bought. */
const soldReport = async (batch: Opened, position = 1) => {
  const outcome = await buyRow(batch, position);
  if (!isSold(outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.reportId;
};

describe('rows that are bought at once', () => {
  test('are charged up to exactly what fits into the budget, and no credit more leaves the account', async () => {
    const batch = await open({ eventIds: await events(19) });
    const first = await soldReport(batch);
    const price = (await read(batch)).spentCredits;
    await changeBatch(world.db, batch, { budgetCredits: 7 * price + price - 1 });
    await buyAll(batch);
    expect(first).toBeGreaterThan(0);
    expect(await read(batch)).toMatchObject({ spentCredits: 7 * price, rows: { running: 7, waiting: 12 } });
    expect(await balanceCredits(world.db, batch.accountId, 'purchased')).toBe(100_000 - 7 * price);
  });

  test('are bought once each, however often', async () => {
    const batch = await open({ eventIds: await events(3) });
    await Promise.all([buyAll(batch), buyAll(batch), buyAll(batch)]);
    const { spentCredits } = await read(batch);
    expect(await balanceCredits(world.db, batch.accountId, 'purchased')).toBe(100_000 - spentCredits);
    expect((await rowsOf(batch)).map(({ kind, state }) => [kind, state])).toEqual(
      Array.from({ length: 3 }, () => ['fresh', 'running']),
    );
  });

  test('have twenty places in flight, over all batches of the account', async () => {
    const accountId = await world.openAccount(100_000);
    const batches = [
      await open({ accountId, eventIds: await events(15) }),
      await open({ accountId, eventIds: await events(15) }),
    ];
    const outcomes = (await Promise.all(batches.map(buyAll))).flat();
    expect(outcomes.filter(isSold)).toHaveLength(20);
    expect(outcomes.filter(outcome => !isSold(outcome))).toEqual(
      Array.from({ length: 10 }, () => expect.objectContaining({ refused: 'run_limit_exceeded' })),
    );
  });
});

describe('a row', () => {
  test('leaves the runs of an hour to single purchases, and they leave the places of rows', async () => {
    const batch = await open({ eventIds: await events(6) });
    await buyAll(batch);
    expect(await countRunsLeft(world.db, batch.accountId, noon)).toEqual({ left: 5, secondsToNext: 0 });
    for (const eventId of await events(5)) await bought(world.db, { accountId: batch.accountId, eventId });
    const more = await open({ accountId: batch.accountId });
    expect(await buyRow(more)).toMatchObject({ kind: 'fresh' });
  });

  test('is paid by purchased credits though the account has a weekly grant', async () => {
    const accountId = await world.openAccount(1_000, { weeklyGrant: true });
    const batch = await open({ accountId });
    expect(await buyRow(batch)).toMatchObject({ kind: 'fresh', pool: 'purchased' });
    expect(await buy(world.db, { accountId, eventId: await world.openEvent() })).toMatchObject({
      pool: 'weekly_grant',
    });
  });

  test('that the account owns costs nothing, and is as far as its report', async () => {
    const batch = await open();
    const [eventId = ''] = batch.eventIds;
    const { reportId } = await bought(world.db, { accountId: batch.accountId, eventId });
    expect(await buyRow(batch)).toMatchObject({ kind: 'owned', reportId });
    expect(await rowsOf(batch)).toMatchObject([{ kind: 'owned', state: 'running', credits: 0, reportId }]);
    await complete(world.db, reportId);
    expect(await rowsOf(batch)).toMatchObject([{ state: 'completed' }]);
    expect((await read(batch)).spentCredits).toBe(0);
  });

  test('whose run fails is refunded, and its credits are in the budget again', async () => {
    const batch = await open();
    const outcome = await buyRow(batch, 1, { purchaseId: '00000000-0000-4000-8000-000000000001' });
    const { spentCredits } = await read(batch);
    expect(spentCredits).toBeGreaterThan(0);
    await refund(world.db, {
      purchaseId: '00000000-0000-4000-8000-000000000001',
      accountId: batch.accountId,
    });
    expect(outcome).toMatchObject({ creditsSpent: spentCredits });
    expect(await read(batch)).toMatchObject({ spentCredits: 0, rows: { failed: 1 } });
    expect(await rowsOf(batch)).toMatchObject([{ state: 'failed', credits: 0, code: 'quorum_lost' }]);
  });

  test('of another account’s batch is not bought, within no budget either', async () => {
    const batch = await open();
    const stranger = { ...batch, accountId: await world.openAccount(1_000) };
    await expect(buyRow(stranger)).rejects.toThrow('no such batch');
    expect(await balanceCredits(world.db, stranger.accountId, 'purchased')).toBe(1_000);
  });

  test('that was bought is not refused afterwards', async () => {
    const batch = await open();
    await buyRow(batch);
    const row = { batchId: batch.id, position: 1 };
    await refuseRow(world.db, row, { ...batch, code: 'event_closed' });
    expect(await rowsOf(batch)).toMatchObject([{ state: 'running', code: null }]);
  });
});

describe('a batch', () => {
  test('that is paused or cancelled buys nothing, from the moment of the change', async () => {
    const batch = await open({ eventIds: await events(2) });
    expect(await changeBatch(world.db, batch, { status: 'paused' })).toBe('changed');
    expect(await buyRow(batch)).toMatchObject({ refused: 'unavailable' });
    expect(await changeBatch(world.db, batch, { status: 'running' })).toBe('changed');
    expect(await buyRow(batch)).toMatchObject({ kind: 'fresh' });
    await changeBatch(world.db, batch, { status: 'cancelled' });
    expect(await buyRow(batch, 2)).toMatchObject({ refused: 'unavailable' });
    expect(await changeBatch(world.db, batch, { status: 'running' })).toBe('ended');
    expect(await read(batch)).toMatchObject({ status: 'cancelled', rows: { running: 1, waiting: 1 } });
  });

  test('keeps a budget of at least what is spent, and goes on when it is raised', async () => {
    const batch = await open();
    await buyRow(batch);
    const { spentCredits } = await read(batch);
    expect(await changeBatch(world.db, batch, { budgetCredits: spentCredits - 1 })).toBe('below_spent');
    expect(await changeBatch(world.db, batch, { budgetCredits: spentCredits })).toBe('changed');
    await pauseBatch(world.db, batch, { reason: 'budget' }, noon);
    expect(await read(batch)).toMatchObject({ status: 'paused', pausedReason: 'budget' });
    await changeBatch(world.db, batch, { budgetCredits: spentCredits + 1 });
    expect(await read(batch)).toMatchObject({ status: 'running', pausedReason: null });
  });

  test('that its owner has paused goes on when its owner says so, not when its budget is raised', async () => {
    const batch = await open();
    await changeBatch(world.db, batch, { status: 'paused' });
    await changeBatch(world.db, batch, { budgetCredits: 200_000 });
    expect(await read(batch)).toMatchObject({ status: 'paused', pausedReason: 'asked' });
    await pauseBatch(world.db, batch, { reason: 'house_limit' }, noon);
    expect(await read(batch)).toMatchObject({ pausedReason: 'asked' });
  });

  test('that the house has paused goes on by itself with the next UTC day', async () => {
    const batch = await open();
    await pauseBatch(world.db, batch, { reason: 'house_limit' }, noon);
    await resumeBatch(world.db, batch.id, later({ hours: 11, minutes: 59 }));
    expect(await read(batch)).toMatchObject({ status: 'paused' });
    await resumeBatch(world.db, batch.id, later({ hours: 12 }));
    expect(await read(batch)).toMatchObject({ status: 'running', resumesAt: null });
  });

  test('ends once, when none of its rows waits or runs, and runs again when rows are tried again', async () => {
    const batch = await open({ eventIds: await events(2) });
    const reportId = await soldReport(batch);
    const row = { batchId: batch.id, position: 2 };
    await refuseRow(world.db, row, { ...batch, code: 'event_closed' });
    expect(await endBatch(world.db, batch, noon)).toBe(false);
    await complete(world.db, reportId);
    expect(await endBatch(world.db, batch, noon)).toBe(true);
    expect(await endBatch(world.db, batch, later({ hours: 1 }))).toBe(true);
    expect(await read(batch)).toMatchObject({ status: 'completed', endedAt: noon });
    expect(await changeBatch(world.db, batch, { retry: true })).toBe('changed');
    expect(await read(batch)).toMatchObject({ status: 'running', rows: { completed: 1, waiting: 1 } });
    expect((await rowsOf(batch))[1]).toMatchObject({ state: 'waiting', code: null });
  });

  test('is the same for the same key, and refused for another request under it', async () => {
    const idempotency = { key: randomUUID(), fingerprint: 'one' };
    const first = await open({ idempotency });
    const again = { accountId: first.accountId, idempotency };
    expect(await open(again)).toMatchObject({ id: first.id });
    await expect(open({ ...again, idempotency: { ...idempotency, fingerprint: 'two' } })).rejects.toThrow(
      'mismatch',
    );
    expect(await open({ ...again, now: later({ hours: 25 }) })).not.toMatchObject({ id: first.id });
  });

  test('is its account’s alone, and listed newest first', async () => {
    const first = await open();
    const second = await open({ accountId: first.accountId, now: later({ seconds: 1 }) });
    const { rows, total } = await listBatches(world.db, first.accountId, { page: 1, perPage: 20 });
    expect([total, ...rows.map(({ id }) => id)]).toEqual([2, second.id, first.id]);
    const stranger = await world.openAccount();
    expect(await findBatch(world.db, { accountId: stranger, id: first.id })).toBeNull();
  });
});
