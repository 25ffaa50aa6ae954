import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { usePlantedBooks } from '../support/planted-books.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const books = usePlantedBooks(world);

describe('correct books', () => {
  test('are reported as correct, with the number of rows checked', async () => {
    const audit = await auditBooks(world.db, noon);
    expect(audit).toMatchObject({ drift: [], notices: [] });
    expect(audit.checked).toMatchObject({ purchases: 8, usage: 2, checkouts: 1 });
    expect(audit.checked.entries).toBeGreaterThan(audit.checked.transfers);
  });

  test('have no drift up to the last moment before something is overdue', async () => {
    expect(await books.drift(later({ minutes: 15 }))).toEqual([]);
  });

  test('are not changed by the audit', async () => {
    const before = await books.everything();
    await auditBooks(world.db, later({ hours: 1_000 }));
    expect(await books.everything()).toEqual(before);
  });
});

describe('the ledger: the audit reports drift when', () => {
  test('a balance is not the sum of its entries', async () => {
    await books.plant(
      `update ledger_accounts set balance_credits = balance_credits + 7 where account_id = '${books.is.buyer}'`,
    );
    expect(await books.drift()).toEqual([
      expect.stringMatching(/account \d+ holds \d+, but its entries add up to \d+/),
    ]);
  });

  test('a transfer does not add up to zero', async () => {
    await books.plant(`update ledger_entries set amount_credits = amount_credits - 1
      where id = (select max(entry.id) from ledger_entries as entry join ledger_accounts as holder
        on holder.id = entry.ledger_account_id where holder.name = 'house_issued')`);
    expect(await books.drift()).toContainEqual(
      expect.stringMatching(/transfer \d+ has 2 legs that add up to -1/),
    );
  });

  test('an entry records the wrong running balance', async () => {
    await books.plant(`update ledger_entries set balance_after = balance_after + 5
      where id = (select max(entry.id) from ledger_entries as entry join ledger_accounts as holder
        on holder.id = entry.ledger_account_id where holder.account_id = '${books.is.buyer}')`);
    expect(await books.drift()).toEqual([
      expect.stringMatching(/entry \d+ records a balance of \d+, but it was \d+/),
    ]);
  });

  test('a customer is overdrawn', async () => {
    await books.plant(
      'alter table ledger_accounts drop constraint ledger_accounts_never_overdrawn',
      `update ledger_accounts set balance_credits = -3 where account_id = '${books.is.buyer}'`,
    );
    expect(await books.drift()).toContainEqual(expect.stringMatching(/account \d+ is overdrawn by 3/));
    await books.plant(
      `update ledger_accounts set balance_credits = 0 where account_id = '${books.is.buyer}'`,
      'alter table ledger_accounts add constraint ledger_accounts_never_overdrawn check (account_id is null or balance_credits >= 0)',
    );
  });

  test('a transfer of one account moved the credits of another', async () => {
    await books.plant(`update ledger_transfers set account_id = '${books.is.payer}'
      where id = (select charge_transfer_id from report_purchases where id = '${books.is.completed.purchaseId}')`);
    expect(await books.drift()).toEqual([expect.stringMatching(/moved the credits of another/)]);
  });

  test('a refund is not the inverse of its charge', async () => {
    const legs = `select entry.id from ledger_entries as entry join report_purchases as purchase
      on entry.transfer_id = purchase.refund_transfer_id where purchase.id = '${books.is.refunded.purchaseId}'`;
    await books.plant(`update ledger_entries set amount_credits = amount_credits * 2 where id in (${legs})`);
    expect(await books.drift()).toContainEqual(
      expect.stringMatching(/refund \d+ is not the inverse of charge \d+/),
    );
  });
});

describe('purchases: the audit reports drift when', () => {
  const of = (sold: { purchaseId: string }) => `where id = '${sold.purchaseId}'`;

  test('a purchase names another price than its charge took', async () => {
    await books.plant(`update report_purchases set credits = credits + 1 ${of(books.is.completed)}`);
    expect(await books.drift()).toEqual([
      expect.stringMatching(/is for 121 credits, but its charge took 120 and its refund returned 0/),
    ]);
  });

  test('a refunded purchase names another price than was charged and refunded', async () => {
    await books.plant(`update report_purchases set credits = 7 ${of(books.is.refunded)}`);
    expect(await books.drift()).toEqual([
      expect.stringMatching(/\(refunded\) is for 7 credits, but its charge took \d+/),
    ]);
  });

  test('a purchase names another pool than its charge took from', async () => {
    await books.plant(`update report_purchases set pool = 'weekly_grant' ${of(books.is.completed)}`);
    expect(await books.drift()).toContainEqual(
      expect.stringMatching(/names the pool weekly_grant, .* took from purchased/),
    );
  });

  test('a charge belongs to no purchase', async () => {
    await books.plant(`delete from report_purchases ${of(books.is.completed)}`);
    expect(await books.drift()).toEqual([expect.stringMatching(/transfer \d+ belongs to no purchase/)]);
  });

  test('a report failed but was not refunded', async () => {
    await books.plant(`update reports set status = 'failed', failure_code = 'internal', ended_at = now()
      where id = ${books.is.inFlight.reportId}`);
    expect(await books.drift()).toEqual([
      `report ${books.is.inFlight.reportId} failed, but purchase ${books.is.inFlight.purchaseId} is still charged`,
    ]);
  });

  test('a refunded report is still running', async () => {
    await books.plant(`update reports set status = 'pending', failure_code = null, ended_at = null
      where id = ${books.is.refunded.reportId}`);
    expect(await books.drift()).toEqual([
      expect.stringMatching(/is pending, but purchase .* of it was refunded/),
    ]);
  });

  test('an unfinished report was sold as cached', async () => {
    await books.plant(`update report_purchases set kind = 'cached' ${of(books.is.inFlight)}`);
    expect(await books.drift()).toEqual([expect.stringMatching(/is cached, but report \d+ is pending/)]);
  });

  test('a report was sold as fresh twice', async () => {
    await books.plant(`update report_purchases set kind = 'fresh' ${of(books.is.cached)}`);
    expect(await books.drift()).toEqual([`report ${books.is.completed.reportId} was sold as fresh 2 times`]);
  });

  test('a purchase is neither delivered nor refunded 15 minutes after it began', async () => {
    expect(await books.drift(later({ minutes: 15, ms: 1 }))).toEqual([
      `report ${books.is.inFlight.reportId} is stranded: charged by purchase ${books.is.inFlight.purchaseId}, still pending after 15 minutes`,
    ]);
  });
});

test('the audit reports every fault, not only the first', async () => {
  await books.plant(
    `update report_purchases set credits = credits + 1 where id = '${books.is.completed.purchaseId}'`,
    `update reports set status = 'failed', failure_code = 'internal', ended_at = now() where id = ${books.is.inFlight.reportId}`,
    `insert into usage_outbox values ('${books.is.granted.purchaseId}', '${books.is.granted.accountId}',
      ${books.is.granted.reportId}, 'fresh', 300, 'cus_${randomUUID()}', 'pending', '${noon.toISOString()}')`,
  );
  expect(await books.drift()).toHaveLength(3);
});

describe('the ceilings: the audit reports drift when', () => {
  test.each([
    [
      'an hour has another sum than its calls',
      `update house_spend set usd_micros = usd_micros + 7 where granted`,
      'runs by weekly grants of the hour of 2031-03-05 12:00 UTC (simulated models) cost 400000 micro-dollars, but the ceilings count 400007',
    ],
    [
      'an hour has no sum',
      `delete from house_spend where granted`,
      'runs by weekly grants of the hour of 2031-03-05 12:00 UTC (simulated models) cost 400000 micro-dollars, but the ceilings count 0',
    ],
    [
      'a call is missing',
      `delete from provider_calls where pool is null`,
      'other runs of the hour of 2031-03-05 12:00 UTC (simulated models) cost 400000 micro-dollars, but the ceilings count 800000',
    ],
  ])('%s', async (_, fault, summary) => {
    await books.plant(fault);
    expect(await books.drift()).toEqual([summary]);
  });
});
