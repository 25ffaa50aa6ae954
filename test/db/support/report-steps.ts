import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { expireGrants } from '../../../db/ledger/weekly-grants.js';
import type { Lane, Pool } from '../../../purchase/purchase.js';
import { type MoneyOracle, modelPolicy } from './money-oracle.js';
import type { Run } from './money-state.js';
import { pick, step } from './money-step.js';
import { buy, complete, recordCost, refund } from './purchases.js';
import type { TestWorld } from './test-world.js';

/** Steps of the money model that concern reports and time. */

export interface PurchaseInput {
  readonly account: number;
  readonly event: number;
  readonly lane: Lane;
  readonly quotedPercent: number | null;
  readonly quotedPool: Pool | null;
  /** Attempts the purchase a second time, as after a crash between charge and answer. */
  readonly answerLost: boolean;
}

export const purchase = (input: PurchaseInput) =>
  step(`buy(${JSON.stringify(input)})`, async (oracle, { world, accounts, events }) => {
    const { lane, quotedPercent, quotedPool } = input;
    const account = pick(accounts, input.account);
    const event = pick(events, input.event);
    const quoted = quotedPercent === null ? null : Math.round((oracle.freshCredits * quotedPercent) / 100);
    const predicted = oracle.predict(account, event, lane, { quoted, quotedPool });
    const purchaseId = randomUUID();
    const apiKeyId = oracle.keys.find(key => key.account === account)?.id ?? null;
    const request = {
      accountId: account,
      apiKeyId,
      eventId: event,
      lane,
      quotedCredits: quoted,
      quotedPool,
      purchaseId,
      utcDay: oracle.day,
    };
    const answer = await buy(world.db, request, { now: new Date(oracle.now), policy: modelPolicy });
    if (answer === 'fresh_needed') throw new Error('a fresh run is always allowed in this test');
    if ('refused' in answer) {
      expect({ refused: answer.refused }).toEqual(predicted);
      return;
    }
    const { kind, creditsSpent: credits, pool, reportId } = answer;
    expect({ kind, credits, pool }).toEqual(predicted);
    if (!('kind' in predicted)) return;
    oracle.settle({ account, event, lane, purchaseId, reportId }, predicted);
    if (input.answerLost && kind !== 'owned') {
      const again = await buy(world.db, request, { now: new Date(oracle.now), policy: modelPolicy });
      expect(again).toMatchObject({ reportId, creditsSpent: credits });
    }
  });

export const endings = [
  'complete',
  'fail',
  'fail, then fail',
  'complete, then fail',
  'fail, then complete',
] as const;

export const end = ([which, how, cost]: [number, (typeof endings)[number], number]) =>
  step(
    `${how}(${which}, ${cost})`,
    async (oracle, { world }) => {
      const run = pick(oracle.runs, which);
      for (const verb of how.split(', then ')) {
        if (verb === 'complete') await completeOf(world, oracle, run, cost);
        else await failOf(world, oracle, run);
      }
    },
    oracle => oracle.runs.length > 0,
  );

/** A call of a run, in progress or ended: a late one costs the house as well. */
export const call = ([which, cost]: [number, number]) =>
  step(
    `call(${which}, ${cost})`,
    async (oracle, { world }) => {
      const run = pick(oracle.runs, which);
      await recordCost(world.db, run.reportId, cost, new Date(oracle.now));
      oracle.call(run, cost);
    },
    oracle => oracle.runs.length > 0,
  );

export const wait = (minutes: number) =>
  step(`wait(${minutes} min)`, async oracle => {
    oracle.now += minutes * 60_000;
  });

export const expire = step('expire', async (oracle, { world }) => {
  await expireGrants(world.db, () => new Date(oracle.now));
  oracle.expire();
});

async function completeOf(world: TestWorld, oracle: MoneyOracle, run: Run, cost: number) {
  // A run that has ended makes no further model calls.
  if (run.state === 'in flight') await complete(world.db, run.reportId, cost, new Date(oracle.now));
  oracle.complete(run, cost);
}

async function failOf(world: TestWorld, oracle: MoneyOracle, run: Run) {
  await refund(world.db, { accountId: run.account, purchaseId: run.purchaseId }, new Date(oracle.now));
  oracle.fail(run);
}

/** Ends the runs that a sequence leaves open: they would count against the ceilings of the next one. */
export async function endAll(world: TestWorld, oracle: MoneyOracle): Promise<void> {
  for (const run of oracle.runs) if (run.state === 'in flight') await failOf(world, oracle, run);
}
