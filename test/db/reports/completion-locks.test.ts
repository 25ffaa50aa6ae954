import { expect, test } from '@jest/globals';
import { lockAccount } from '../../../db/accounts/accounts.js';
import { completeReport } from '../../../db/reports/complete-report.js';
import { subscribe } from '../../support/service/subscribe.js';
import {
  bought,
  conclusion,
  forecastOf,
  freezeMarket,
  newSalt,
  purchaseRequest,
  refund,
  snapshot,
} from '../support/purchases.js';
import { inParallel, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

/** A report on a subscription that is ready to be completed. */
async function meteredRun() {
  const accountId = await world.openAccount();
  await subscribe(world.db, accountId);
  return runOf(accountId);
}

async function runOf(accountId: string) {
  const purchase = purchaseRequest({ accountId, eventId: await world.openEvent(), lane: 'subscription' });
  const { reportId } = await bought(world.db, purchase);
  await freezeMarket(world.db, reportId, snapshot);
  return { accountId, reportId, purchaseId: purchase.purchaseId };
}

const complete = (reportId: number) =>
  completeReport(world.db, reportId, {
    conclusion,
    dropouts: [],
    forecast: forecastOf(reportId),
    salt: newSalt(),
    now: noon,
  });

test('a report on a subscription is completed while a purchase of its account is in progress', async () => {
  const { accountId, reportId } = await meteredRun();
  await world.db.transaction().execute(async purchase => {
    await lockAccount(purchase, accountId);
    expect(await complete(reportId)).toBe(true);
  });
});

test('completions, refunds and purchases of one account never deadlock, and each report ends once', async () => {
  await inParallel(10, async () => {
    const { accountId, ...first } = await meteredRun();
    const second = await runOf(accountId);
    await Promise.all([
      ...[first, second].flatMap(({ reportId, purchaseId }) => [
        complete(reportId),
        refund(world.db, { accountId, purchaseId }),
      ]),
      runOf(accountId),
    ]);
    const ends = await world.sql(
      `select report.status, purchase.state from reports report join report_purchases purchase on report_id = report.id
        where report.id in ($1, $2)`,
      [first.reportId, second.reportId],
    );
    for (const { status, state } of ends)
      expect([status, state]).toEqual(
        status === 'failed' ? ['failed', 'refunded'] : ['completed', 'charged'],
      );
  });
});
