import { beforeEach, describe, expect, test } from '@jest/globals';
import type pg from 'pg';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { ledgerAccount, writeLeg, writeTransfer } from '../support/raw-ledger.js';
import { reconcile } from '../support/reconcile.js';
import { useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

let accountId: string;
let pool: number;
let house: number;

beforeEach(async () => {
  accountId = await world.openAccount(100);
  await world.together(async client => {
    pool = await ledgerAccount(client, 'purchased', accountId);
    house = await ledgerAccount(client, 'house_issued');
  });
});

const balance = () => balanceCredits(world.db, accountId, 'purchased');

/** Writes the legs of one transfer directly and commits. */
const legs = (amounts: readonly (readonly [ledgerAccountId: number, credits: number])[]) =>
  world.together(async client => {
    const transferId = await writeTransfer(client, accountId);
    for (const [ledgerAccountId, credits] of amounts)
      await writeLeg(client, transferId, ledgerAccountId, credits);
  });

const rejected = /legs that add up to/;

describe('a transfer that is not two or more legs that add up to zero never commits', () => {
  type Legs = readonly (readonly [ledgerAccountId: number, credits: number])[];
  const cases: readonly (readonly [string, RegExp, () => Legs])[] = [
    ['no legs', rejected, () => []],
    ['one leg', rejected, () => [[pool, 5]]],
    ['two legs that differ', rejected, () => [[pool, 5], [house, -4]]], // biome-ignore format: reads as a table
    ['two legs of one sign', rejected, () => [[pool, 5], [house, 5]]], // biome-ignore format: reads as a table
    ['legs of zero credits', /amount_credits/, () => [[pool, 0], [house, 0]]], // biome-ignore format: a table
    ['two legs on one account', /unique/, () => [[pool, 5], [pool, -5]]], // biome-ignore format: a table
  ];
  test.each(cases)('a transfer with %s is rejected and changes no balance', async (_, refusal, amounts) => {
    await expect(legs(amounts())).rejects.toThrow(refusal);
    expect(await balance()).toBe(100);
  });

  test('a leg added after an early constraint check is checked too', async () => {
    const grant = await world.sql('select count(*) as n from ledger_transfers');
    await expect(
      world.together(async client => {
        const transferId = await writeTransfer(client, accountId);
        await writeLeg(client, transferId, pool, 5);
        await writeLeg(client, transferId, house, -5);
        await client.query('set constraints all immediate');
        await writeLeg(client, transferId, await ledgerAccount(client, 'weekly_grant', accountId), 1_000);
      }),
    ).rejects.toThrow(rejected);
    expect(await world.sql('select count(*) as n from ledger_transfers')).toEqual(grant);
  });
});

describe('ledger rows are immutable', () => {
  test.each([
    `update ledger_transfers set reason = 'other'`,
    `update ledger_entries set amount_credits = amount_credits * 2`,
    'delete from ledger_entries',
    'delete from ledger_transfers',
    'truncate ledger_entries',
    'truncate ledger_transfers cascade',
    'truncate ledger_accounts cascade',
    'truncate accounts cascade',
    'truncate reports cascade',
    'delete from ledger_accounts',
  ])('rejected: %s', async statement => {
    const before = await everything();
    await expect(world.sql(statement)).rejects.toThrow(/append-only|keeps its rows/);
    expect(await everything()).toEqual(before);
  });

  test('an old transfer gets no further leg, nor a pair of legs', async () => {
    const [{ id: transferId }] = await world.sql('select id from ledger_transfers where account_id = $1', [
      accountId,
    ]);
    await expect(
      world.together(async client => {
        await writeLeg(client, transferId, await ledgerAccount(client, 'weekly_grant', accountId), 5);
        await writeLeg(client, transferId, await ledgerAccount(client, 'house_earned'), -5);
      }),
    ).rejects.toThrow(/already written/);
  });

  test('a transfer that names another writing transaction gets no legs', async () => {
    await expect(
      world.together(async client => {
        const { rows } = await client.query(
          `insert into ledger_transfers (operation_key, kind, account_id, reason, created_at, written_by)
           values ('forged', 'adjustment', $1, 'by hand', now(), '999999999') returning id`,
          [accountId],
        );
        await writeLeg(client, rows[0].id, pool, 5);
      }),
    ).rejects.toThrow(/already written/);
  });
});

describe('only an entry changes a balance', () => {
  test.each([
    [
      'a balance is not updated',
      'update ledger_accounts set balance_credits = 1000000',
      /by a ledger entry only/,
    ],
    [
      'a ledger account is not moved to another customer',
      'update ledger_accounts set account_id = gen_random_uuid()',
      /by a ledger entry only/,
    ],
    [
      'a ledger account starts at zero',
      `insert into ledger_accounts (name, account_id, balance_credits)
       select 'weekly_grant', account_id, 5 from ledger_accounts`,
      /opens empty/,
    ],
  ])('%s', async (_, change, refusal) => {
    await expect(world.sql(`${change} where id = $1`, [pool])).rejects.toThrow(refusal);
    expect(await balance()).toBe(100);
  });

  test('an entry that is skipped as a duplicate moves nothing', async () => {
    const skip = (client: pg.ClientBase, transferId: number) =>
      client.query(
        `insert into ledger_entries (transfer_id, ledger_account_id, amount_credits)
         values ($1, $2, 1000000) on conflict do nothing`,
        [transferId, pool],
      );
    await world.together(async client => {
      const transferId = await writeTransfer(client, accountId);
      await writeLeg(client, transferId, pool, 5);
      await writeLeg(client, transferId, house, -5);
      await skip(client, transferId);
    });
    expect(await balance()).toBe(105);
    expect(await reconcile(world.db)).toEqual([]);
  });

  test('an entry records the balance after it, whatever balance the writer gives', async () => {
    await world.together(async client => {
      const transferId = await writeTransfer(client, accountId);
      await client.query(
        `insert into ledger_entries (transfer_id, ledger_account_id, amount_credits, balance_after)
         values ($1, $2, 7, 999), ($1, $3, -7, 999)`,
        [transferId, pool, house],
      );
    });
    expect(await balance()).toBe(107);
    expect(await reconcile(world.db)).toEqual([]);
  });
});

test('entries that would hide each other from the balance are refused', async () => {
  await expect(
    world.together(async client => {
      const [first, second] = [
        await writeTransfer(client, accountId),
        await writeTransfer(client, accountId),
      ];
      await client.query(
        `insert into ledger_entries (transfer_id, ledger_account_id, amount_credits)
         values ($1, $3, 7), ($2, $3, 7), ($1, $4, -7), ($2, $4, -7)`,
        [first, second, pool, house],
      );
    }),
  ).rejects.toThrow(/two entries of one statement/);
});

describe('no customer is overdrawn', () => {
  test('all credits can be taken, and not one more', async () => {
    await expect(legs([[pool, -101], [house, 101]])).rejects.toThrow(/never_overdrawn/); // biome-ignore format: a table
    await legs([[pool, -100], [house, 100]]); // biome-ignore format: a table
    expect(await balance()).toBe(0);
  });

  test('not even between two legs of one transaction', async () => {
    await expect(
      world.together(async client => {
        const first = await writeTransfer(client, accountId);
        await writeLeg(client, first, pool, -150);
      }),
    ).rejects.toThrow(/never_overdrawn/);
  });
});

const everything = () =>
  world.sql(
    `select (select count(*) from ledger_transfers) as transfers, (select count(*) from ledger_accounts) as accounts,
      (select count(*) from ledger_entries) as entries, (select sum(abs(amount_credits)) from ledger_entries) as moved`,
  );
