import { describe, expect, test } from '@jest/globals';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { bought, buy, complete } from '../support/purchases.js';
import { countRows, inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const keyed = async (credits = 1_000) => ({
  accountId: await world.openAccount(credits),
  eventId: await world.openEvent(),
  idempotency: { key: 'key', fingerprint: 'one' },
});

const balance = (accountId: string) => balanceCredits(world.db, accountId, 'purchased');

describe('the same idempotency key', () => {
  test('used in forty concurrent requests buys once; the others are replays', async () => {
    const purchase = await keyed();
    const receipts = await inParallel(40, () => bought(world.db, purchase));
    const [first] = receipts.filter(({ replayed }) => !replayed);
    expect(receipts.filter(({ replayed }) => replayed)).toEqual(
      Array.from({ length: 39 }, () => ({ ...first, replayed: true })),
    );
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test("replays the first answer without a charge, even if today's would differ, and if none may be sold", async () => {
    const purchase = await keyed();
    const first = await bought(world.db, purchase);
    const replay = { ...first, replayed: true };
    expect(first.replayed).toBe(false);
    for (const allowedOutcome of ['fresh', 'owned', 'existing'] as const) {
      expect(await buy(world.db, purchase, { allowedOutcome })).toEqual(replay);
    }
    await complete(world.db, first.reportId);
    expect(await bought(world.db, purchase)).toEqual({ ...replay, status: 'pending' });
    expect(await balance(purchase.accountId)).toBe(880);
  });

  test('with a different request is refused and writes nothing', async () => {
    const purchase = await keyed();
    await bought(world.db, purchase);
    const other = { ...purchase, idempotency: { key: 'key', fingerprint: 'two' } };
    const before = await countRows(world);
    expect(await buy(world.db, other)).toMatchObject({ refused: 'idempotency_mismatch' });
    expect(await countRows(world)).toEqual(before);
  });

  test('of another account is independent', async () => {
    const purchase = await keyed();
    await bought(world.db, purchase);
    const other = {
      ...purchase,
      accountId: await world.openAccount(1_000),
      idempotency: { key: 'key', fingerprint: 'two' },
    };
    expect(await bought(world.db, other)).toMatchObject({ kind: 'fresh', replayed: false });
  });
});

describe('a refusal leaves the key free', () => {
  test('for a retry that can be paid, and for a different request', async () => {
    const purchase = await keyed(100);
    expect(await buy(world.db, purchase)).toMatchObject({ refused: 'insufficient_credits' });
    expect(await buy(world.db, { ...purchase, quotedCredits: 1 })).toMatchObject({
      refused: 'quote_expired',
    });
    const affordable = { ...purchase, quotedCredits: 105, idempotency: { key: 'key', fingerprint: 'two' } };
    expect(await buy(world.db, affordable)).toMatchObject({ refused: 'insufficient_credits' });
    const account = await world.openAccount(1_000);
    expect(await bought(world.db, { ...affordable, accountId: account })).toMatchObject({
      replayed: false,
    });
    expect(
      await world.sql('select from idempotency_keys where account_id = $1', [purchase.accountId]),
    ).toEqual([]);
  });

  test('so does the answer that a fresh run is needed', async () => {
    const purchase = await keyed();
    expect(await buy(world.db, purchase, { allowedOutcome: 'existing' })).toBe('fresh_needed');
    expect(await bought(world.db, purchase)).toMatchObject({ kind: 'fresh', replayed: false });
  });
});

describe('a key is kept for 24 hours', () => {
  const day = later({ hours: 24 });

  test('exactly, to the millisecond', async () => {
    const purchase = await keyed();
    const first = await bought(world.db, purchase);
    expect(await bought(world.db, purchase, { now: later({ ms: -1 }, day) })).toEqual({
      ...first,
      replayed: true,
    });
    const other = { ...purchase, utcDay: '2031-03-06', idempotency: { key: 'key', fingerprint: 'two' } };
    expect(await bought(world.db, other, { now: day })).toMatchObject({ kind: 'fresh', replayed: false });
  });

  test('expired keys are deleted when a new one is written', async () => {
    const purchase = await keyed();
    await bought(world.db, purchase);
    await bought(
      world.db,
      { ...purchase, utcDay: '2031-03-06', idempotency: { key: 'new', fingerprint: 'one' } },
      { now: day },
    );
    expect(
      await world.sql('select key, created_at from idempotency_keys where account_id = $1', [
        purchase.accountId,
      ]),
    ).toEqual([{ key: 'new', created_at: day }]);
  });

  test('keys of other accounts are not deleted', async () => {
    const [kept, writer] = [await keyed(), await keyed()];
    await bought(world.db, kept);
    await bought(world.db, writer, { now: day });
    expect(
      await world.sql('select created_at from idempotency_keys where account_id = $1', [kept.accountId]),
    ).toEqual([{ created_at: noon }]);
  });
});
