import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { auditBooks } from '../../../db/audit/audit-books.js';
import type { AuditHorizon } from '../../../db/audit/audit-horizon.js';
import { readOwedCredits } from '../../../db/billing/reverse-purchase.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { type Lane, lanes, type Pool } from '../../../purchase/purchase.js';
import * as account from '../support/account-steps.js';
import { MoneyOracle } from '../support/money-oracle.js';
import type { Real } from '../support/money-step.js';
import { newestWindow } from '../support/purchases.js';
import * as report from '../support/report-steps.js';
import { later, noon, useTestWorld } from '../support/test-world.js';

const world = useTestWorld();

const small = fc.nat({ max: 11 });
const requests = fc.record({
  account: small,
  event: small,
  lane: fc.constantFrom<Lane>('credits', 'credits', ...lanes),
  quotedPool: fc.constantFrom<Pool | null>(null, null, 'purchased', 'weekly_grant'),
  quotedPercent: fc.option(fc.integer({ min: 70, max: 130 })),
  answerLost: fc.boolean(),
});
const endingsOfRuns = fc.tuple(
  fc.nat({ max: 50 }),
  fc.constantFrom(...report.endings),
  fc.integer({ min: 1, max: 3_000_000 }),
);

const steps = fc.commands<MoneyOracle, Real, false>(
  [
    fc.tuple(small, fc.integer({ min: 1, max: 400 })).map(account.grant),
    requests.map(report.purchase),
    requests.map(report.purchase),
    requests.map(report.purchase),
    endingsOfRuns.map(report.end),
    endingsOfRuns.map(report.end),
    fc.tuple(fc.nat({ max: 50 }), fc.integer({ min: 1, max: 900_000 })).map(report.call),
    small.map(account.buyPack),
    small.map(account.mintKey),
    small.map(account.revokeKey),
    fc.tuple(small, fc.nat({ max: 700 }), fc.boolean()).map(account.changePayment),
    fc.constantFrom(1, 20, 61, 13 * 60, 3 * 24 * 60).map(report.wait),
    fc.constant(report.expire),
    small.map(account.toggleKeys),
    small.map(account.toggleSubscription),
    small.map(account.toggleSuspension),
    small.map(account.toggleVerified),
  ],
  { maxCommands: 80, size: 'max' },
);

test("after each of thousands of random steps, every answer and balance equals the model's", async () => {
  let taken = 0;
  let horizon: AuditHorizon | null = null;
  // Each sequence has days of its own, because the house's ceilings are of all accounts.
  let begun = noon;
  await fc.assert(
    fc.asyncProperty(steps, async commands => {
      const real: Real = {
        world,
        steps: 0,
        accounts: await Promise.all([0, 1].map(() => world.openAccount(0, { weeklyGrant: true }))),
        events: await Promise.all([0, 1, 2].map(() => world.openEvent())),
      };
      const oracle = new MoneyOracle(begun.getTime(), await newestWindow(world.db));
      for (const accountId of real.accounts) {
        await account.setVerified(world, accountId, true);
        oracle.open(accountId);
      }
      try {
        await fc.asyncModelRun(() => ({ model: oracle, real }), commands);
      } finally {
        await report.endAll(world, oracle);
        begun = later({ hours: 8 * 24 }, new Date(oracle.now));
      }
      for (const accountId of real.accounts) {
        const { purchased } = oracle.purse(accountId);
        expect(await balanceCredits(world.db, accountId, 'purchased')).toBe(purchased);
        expect(await readOwedCredits(world.db, accountId)).toBe(oracle.owedCredits(accountId));
      }
      // All rows are audited after the file.
      const audit = await auditBooks(world.db, new Date(0), horizon);
      expect(audit.drift).toEqual([]);
      horizon = audit.horizon;
      taken += real.steps;
    }),
    { numRuns: 90, endOnFailure: true },
  );
  expect(taken).toBeGreaterThan(2_000);
}, 300_000);
