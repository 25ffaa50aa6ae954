import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { auditBooks } from '../../../db/audit/audit-books.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { expireGrants, findUsableGrant } from '../../../db/ledger/weekly-grants.js';
import { sealRecord } from '../../../db/track-record/seal-record.js';
import { unlimitedSales } from '../../council/fixtures.js';
import { pick } from '../support/money-step.js';
import { buy, isSold, refund } from '../support/purchases.js';
import { inParallel, later, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();
const sunday = '2031-03-09';
const monday = new Date('2031-03-10T00:00:00Z');
const tuesday = later({ hours: 24 }, monday);
const weekAfter = later({ hours: 7 * 24 + 1 }, monday);

/** One step of one process, and by how many seconds its clock differs. */
const steps = fc.record({
  does: fc.constantFrom('buy', 'buy', 'refund', 'refund', 'expire'),
  account: fc.nat({ max: 1 }),
  skewSeconds: fc.integer({ min: -6, max: 6 }),
});
/** Steps that happen at the same time, and how long after those before. */
const moments = fc.record({
  afterSeconds: fc.nat({ max: 3 }),
  steps: fc.array(steps, { minLength: 1, maxLength: 3 }),
});

test('purchases, refunds and expiries by clocks that differ lose and invent no credit at the end of a week', async () => {
  const expireAt = async (now: Date) => {
    expect((await expireGrants(world.db, () => now)).failures).toEqual([]);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(moments, { minLength: 8, maxLength: 14 }), async sequence => {
      const accounts = await inParallel(2, () => world.openAccount(240, { weeklyGrant: true }));
      const sold: { accountId: string; purchaseId: string }[] = [];
      let at = later({ seconds: -10 }, monday);
      for (const moment of sequence) {
        at = later({ seconds: moment.afterSeconds }, at);
        await inParallel(moment.steps.length, async index => {
          const { does, account, skewSeconds } = pick(moment.steps, index);
          const now = later({ seconds: skewSeconds }, at);
          const accountId = pick(accounts, account);
          if (does === 'expire') await expireAt(now);
          else if (does === 'buy') {
            const purchaseId = crypto.randomUUID();
            // A new event each time: one whose runs failed would rest.
            const request = { accountId, purchaseId, eventId: await world.openEvent(), utcDay: sunday };
            const answer = await buy(world.db, request, { now });
            if (isSold(answer) && answer.kind === 'fresh') {
              sold.push({ accountId, purchaseId });
            }
          } else {
            const own = sold.findLastIndex(sale => sale.accountId === accountId);
            for (const sale of own < 0 ? [] : sold.splice(own, 1)) await refund(world.db, sale, now);
          }
        });
      }
      for (const accountId of accounts) await newGrantIsUsedOrUsable(accountId);
      await expireAt(weekAfter);
      for (const sale of sold) await refund(world.db, sale, weekAfter);
      await expireAt(later({ hours: 7 * 24 }, weekAfter));
      await sealRecord(world.db);
      expect((await auditBooks(world.db, later({ hours: 8 * 24 }, weekAfter))).drift).toEqual([]);
      for (const accountId of accounts) {
        expect(await balanceCredits(world.db, accountId, 'weekly_grant')).toBe(0);
        expect(await balanceCredits(world.db, accountId, 'purchased')).toBe(240);
      }
    }),
    { numRuns: 30, endOnFailure: true },
  );
}, 120_000);

/** The grant of a week that has begun is not lost by a clock that still shows the week before. */
async function newGrantIsUsedOrUsable(accountId: string): Promise<void> {
  const used = await world.sql(
    `select from weekly_grants where account_id = $1 and week = '2031-03-10' and used_by is not null`,
    [accountId],
  );
  const usable = await findUsableGrant(world.db, accountId, { now: tuesday, policy: unlimitedSales });
  expect(used.length > 0 || usable !== null).toBe(true);
}
