import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { at } from '../../../council/numbers.js';
import { lockAccount } from '../../../db/accounts/accounts.js';
import { mintApiKey } from '../../../db/accounts/api-keys.js';
import { grantCredits } from '../../../db/ledger/credit-grants.js';
import { balanceCredits, postTransfer, readStatement, reverseTransfer } from '../../../db/ledger/ledger.js';
import { refund, sell } from '../support/purchases.js';
import { writeTransfer } from '../support/raw-ledger.js';
import { inParallel, later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const all = { page: 1, perPage: 100 };

/** Grant, charge and refund, charge. */
const moved = async () => {
  const accountId = await world.openAccount(1_000);
  const lost = await sell(world, { accountId }, { now: later({ minutes: 1 }) });
  await refund(world.db, lost, later({ minutes: 2 }));
  const { reportId } = await sell(world, { accountId }, { now: later({ minutes: 3 }) });
  return { accountId, reportId };
};

test('a statement is newest first, each line has its balance, and its pages are contiguous', async () => {
  const { accountId, reportId } = await moved();
  const { rows, total } = await readStatement(world.db, accountId, all);
  expect(total).toBe(4);
  expect(
    rows.map(({ at, kind, amount_credits, balance_after }) => [at, kind, amount_credits, balance_after]),
  ).toEqual([
    [later({ minutes: 3 }), 'charge', -120, 880],
    [later({ minutes: 2 }), 'refund', 120, 1_000],
    [later({ minutes: 1 }), 'charge', -120, 880],
    [noon, 'grant', 1_000, 1_000],
  ]);
  expect(rows[0]).toMatchObject({ report_id: reportId, pool: 'purchased', api_key_id: null });
  expect(await balance(accountId)).toBe(880);
  const pages = await inParallel(3, page =>
    readStatement(world.db, accountId, { page: page + 1, perPage: 2 }),
  );
  expect(pages.flatMap(page => page.rows)).toEqual(rows);
  expect(pages.map(page => page.total)).toEqual([4, 4, 4]);
});

test('each line continues from the previous balance, also after concurrent purchases', async () => {
  const accountId = await world.openAccount(1_000);
  await inParallel(5, () => sell(world, { accountId }));
  const { rows } = await readStatement(world.db, accountId, all);
  const before = rows.map(({ balance_after, amount_credits }) => balance_after - amount_credits);
  expect(before.slice(0, -1)).toEqual(rows.slice(1).map(({ balance_after }) => balance_after));
  expect(before.at(-1)).toBe(0);
});

test('it contains no lines of other accounts or of the house', async () => {
  const [first, second] = [await moved(), await moved()];
  const own = await readStatement(world.db, first.accountId, all);
  const theirs = await readStatement(world.db, second.accountId, all);
  const ids = new Set(own.rows.map(({ id }) => id));
  expect(theirs.rows.filter(({ id }) => ids.has(id))).toEqual([]);
  expect(await readStatement(world.db, await world.openAccount(), all)).toEqual({ rows: [], total: 0 });
});

test('a charge and its refund name the API key of the purchase', async () => {
  const accountId = await world.openAccount(1_000);
  const apiKeyId = randomUUID();
  await mintApiKey(world.db, {
    id: apiKeyId,
    accountId,
    name: 'test',
    keyPrefix: 'pc_live_test',
    keyHash: randomBytes(32),
    now: noon,
  });
  await refund(world.db, await sell(world, { accountId, apiKeyId }));
  const { rows } = await readStatement(world.db, accountId, all);
  expect(rows.map(({ api_key_id }) => api_key_id)).toEqual([apiKeyId, apiKeyId, null]);
});

const balance = (accountId: string) => balanceCredits(world.db, accountId, 'purchased');

/** Charges credits, as a purchase does. */
const debit = (
  accountId: string,
  credits: number,
  operationKey: string = randomUUID(),
  afterwards = () => {},
) =>
  world.db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    const transferId = await postTransfer(tx, {
      operationKey,
      kind: 'charge',
      accountId,
      reportId: null,
      apiKeyId: null,
      pool: 'purchased',
      house: 'house_earned',
      amountCredits: -credits,
      reason: 'test',
      now: noon,
    });
    afterwards();
    return transferId;
  });

const giveBack = (accountId: string, transferId: number, operationKey: string = randomUUID()) =>
  world.db.transaction().execute(async tx => {
    await lockAccount(tx, accountId);
    return reverseTransfer(tx, { transferId, operationKey, reason: 'test', now: noon });
  });

const legsOf = (transferId: number) =>
  world.sql(
    `select holder.name, holder.account_id, entry.amount_credits from ledger_entries as entry
     join ledger_accounts as holder on holder.id = entry.ledger_account_id
     where entry.transfer_id = $1 order by entry.id`,
    [transferId],
  );

/** How many of the concurrent attempts succeeded. */
const passed = async (count: number, work: () => Promise<unknown>): Promise<number> => {
  const results = await Promise.allSettled(Array.from({ length: count }, work));
  return results.filter(({ status }) => status === 'fulfilled').length;
};

describe('debits', () => {
  test('of a hundred concurrent debits exactly as many succeed as the balance pays for', async () => {
    const accountId = await world.openAccount(50 * 7 + 6);
    expect(await passed(100, () => debit(accountId, 7))).toBe(50);
    expect(await balance(accountId)).toBe(6);
  });

  test('of many accounts at once do not deadlock', async () => {
    const accounts = await inParallel(8, () => world.openAccount(35));
    const results = await inParallel(8, index => passed(8, () => debit(at(accounts, index), 7)));
    expect(results).toEqual(accounts.map(() => 5));
  });

  test('an account that never had credits cannot be debited', async () => {
    const accountId = await world.openAccount();
    expect(await balance(accountId)).toBe(0);
    await expect(debit(accountId, 1)).rejects.toThrow(/never_overdrawn/);
  });
});

describe('an operation key has one transfer', () => {
  test('forty concurrent charges under one key post one transfer', async () => {
    const accountId = await world.openAccount(1_000);
    expect(await passed(40, () => debit(accountId, 7, 'one-key'))).toBe(1);
    expect(await balance(accountId)).toBe(993);
  });

  test('forty concurrent grants under one key post one, and all return the same balance', async () => {
    const accountId = await world.openAccount();
    const operationId = randomUUID();
    const grant = { accountId, credits: 30, reason: 'test', operationId, now: noon };
    const balances = await inParallel(40, () => grantCredits(world.db, grant));
    expect(new Set(balances)).toEqual(new Set([30]));
  });

  test('concurrent grants under different keys add up', async () => {
    const accountId = await world.openAccount();
    await inParallel(40, index =>
      grantCredits(world.db, {
        accountId,
        credits: index + 1,
        reason: 'test',
        operationId: randomUUID(),
        now: noon,
      }),
    );
    expect(await balance(accountId)).toBe(820);
  });
});

describe('refunds', () => {
  test("a refund is the inverse of the charge's legs, account by account", async () => {
    const accountId = await world.openAccount(100);
    const charge = await debit(accountId, 64);
    const refund = await giveBack(accountId, charge);
    expect(await legsOf(charge)).toEqual([
      { name: 'purchased', account_id: accountId, amount_credits: -64 },
      { name: 'house_earned', account_id: null, amount_credits: 64 },
    ]);
    expect(await legsOf(refund)).toEqual([
      { name: 'purchased', account_id: accountId, amount_credits: 64 },
      { name: 'house_earned', account_id: null, amount_credits: -64 },
    ]);
    expect(await balance(accountId)).toBe(100);
  });

  test('forty concurrent refunds of one charge, under different keys, post one', async () => {
    const accountId = await world.openAccount(100);
    const charge = await debit(accountId, 64);
    expect(await passed(40, () => giveBack(accountId, charge))).toBe(1);
    expect(await balance(accountId)).toBe(100);
  });

  test('only a refund reverses a transfer, and it names the charge', async () => {
    const accountId = await world.openAccount(100);
    const charge = await debit(accountId, 10);
    const write = (kind: string, reverses: number | null) =>
      world.together(client => writeTransfer(client, accountId, { kind, reverses }));
    await expect(write('refund', null)).rejects.toThrow(/check constraint/);
    await expect(write('charge', charge)).rejects.toThrow(/check constraint/);
  });
});

test('a transaction that fails after its entries changes no balance', async () => {
  const accountId = await world.openAccount(100);
  const failing = debit(accountId, 10, randomUUID(), () => {
    throw new Error('afterwards');
  });
  await expect(failing).rejects.toThrow('afterwards');
  expect(await balance(accountId)).toBe(100);
});
