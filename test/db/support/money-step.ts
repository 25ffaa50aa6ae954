import { expect } from '@jest/globals';
import type fc from 'fast-check';
import { readOwedCredits } from '../../../db/billing/reverse-purchase.js';
import { balanceCredits } from '../../../db/ledger/ledger.js';
import { findUsableGrant } from '../../../db/ledger/weekly-grants.js';
import { countRunsLeft } from '../../../db/purchases/started-runs.js';
import { type MoneyOracle, modelPolicy } from './money-oracle.js';
import type { TestWorld } from './test-world.js';

/** The state that the steps of one sequence share. */
export interface Real {
  readonly world: TestWorld;
  steps: number;
  readonly events: readonly string[];
  readonly accounts: readonly string[];
}

export type Command = fc.AsyncCommand<MoneyOracle, Real>;

/** A step that afterwards compares every purse with the oracle's. */
export function step(
  name: string,
  happen: (oracle: MoneyOracle, real: Real) => Promise<void>,
  check: (oracle: MoneyOracle) => boolean = () => true,
): Command {
  return {
    check,
    run: async (oracle, real) => {
      await happen(oracle, real);
      real.steps += 1;
      for (const account of real.accounts) await compare(real.world, oracle, account);
    },
    toString: () => name,
  };
}

async function compare(world: TestWorld, oracle: MoneyOracle, account: string): Promise<void> {
  const now = new Date(oracle.now);
  const purse = oracle.purse(account);
  expect({
    purchased: await balanceCredits(world.db, account, 'purchased'),
    granted: await balanceCredits(world.db, account, 'weekly_grant'),
    left: (await countRunsLeft(world.db, account, now)).left,
    usable: (await findUsableGrant(world.db, account, { now, policy: modelPolicy })) !== null,
    usageCents: await usageCents(world, account),
    owed: await readOwedCredits(world.db, account),
  }).toEqual({
    purchased: purse.purchased,
    granted: purse.lots.reduce((sum, lot) => sum + lot.held, 0),
    left: oracle.runsLeft(account),
    usable: oracle.usableLot(account) !== null,
    usageCents: purse.usageCents,
    owed: oracle.owedCredits(account),
  });
}

async function usageCents(world: TestWorld, account: string): Promise<number> {
  const [row] = await world.sql(
    'select coalesce(sum(amount_usd_cents), 0)::int as cents from usage_outbox where account_id = $1',
    [account],
  );
  return row.cents;
}

export function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
