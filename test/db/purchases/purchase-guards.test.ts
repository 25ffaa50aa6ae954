import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { bought, complete, refund } from '../support/purchases.js';
import { useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const sold = async () => {
  const purchase = {
    accountId: await world.openAccount(1_000),
    eventId: await world.openEvent(),
    purchaseId: randomUUID(),
  };
  return { ...purchase, ...(await bought(world.db, purchase)) };
};

const rowOf = async (purchaseId: string) =>
  (await world.sql('select * from report_purchases where id = $1', [purchaseId]))[0];

describe('a charged purchase can only be refunded', () => {
  test.each([
    ['it cannot become void while charged', `state = 'void', report_id = null`],
    ['it cannot be refunded without a transfer', `state = 'refunded', ended_at = now()`],
    [
      'its own charge cannot be its refund',
      `state = 'refunded', ended_at = now(), refund_transfer_id = charge_transfer_id`,
    ],
    ['it keeps its report', 'report_id = (select min(id) from reports)'],
    ['it keeps its account', 'account_id = (select id from accounts order by created_at limit 1)'],
    ['it keeps its kind', `kind = 'cached'`],
    ['it keeps its lane', `lane = 'byok'`],
    ['it keeps its pool', `pool = 'weekly_grant'`],
    ['it keeps its time, which the run limit counts', `created_at = created_at - interval '1 hour'`],
  ])('%s', async (_, change) => {
    await sold();
    const { purchaseId } = await sold();
    const before = await rowOf(purchaseId);
    const rewrite = world.sql(`update report_purchases set ${change} where id = $1`, [purchaseId]);
    await expect(rewrite).rejects.toThrow(/would be rewritten|check constraint/);
    expect(await rowOf(purchaseId)).toEqual(before);
  });

  test("it cannot point at another purchase's refund", async () => {
    const [kept, lost] = [await sold(), await sold()];
    await refund(world.db, lost);
    const { refund_transfer_id } = await rowOf(lost.purchaseId);
    const rewrite = world.sql(
      `update report_purchases set state = 'refunded', ended_at = now(), refund_transfer_id = $2 where id = $1`,
      [kept.purchaseId, refund_transfer_id],
    );
    await expect(rewrite).rejects.toThrow(/unique|would be rewritten/);
  });

  test('an account has one charged purchase of a report', async () => {
    const { purchaseId, reportId } = await sold();
    await complete(world.db, reportId);
    const again = world.sql(
      `insert into report_purchases (id, account_id, state, kind, report_id, lane, credits, created_at)
       select $2, account_id, state, 'cached', report_id, 'subscription', 0, created_at
       from report_purchases where id = $1`,
      [purchaseId, randomUUID()],
    );
    await expect(again).rejects.toThrow(/report_purchases_once/);
  });
});
