import { expect } from '@jest/globals';
import type fc from 'fast-check';
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

/** A step that afterwards compares every purse with the oracle's, also those that it does not concern. */
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
      await compare(real, oracle);
    },
    toString: () => name,
  };
}

async function compare({ world, accounts }: Real, oracle: MoneyOracle): Promise<void> {
  const now = new Date(oracle.now);
  // One statement for all accounts: this runs after each of thousands of steps.
  const stored = await world.sql(
    `select (select balance_credits from ledger_accounts where account_id = account.id and name = 'purchased') as purchased,
       (select balance_credits from ledger_accounts where account_id = account.id and name = 'weekly_grant') as granted,
       (select sum(amount_usd_cents)::int from usage_outbox where account_id = account.id) as "usageCents",
       (select sum(owed_credits)::int from checkouts where account_id = account.id) as owed
     from unnest($1::uuid[]) with ordinality as account (id, place) order by place`,
    [accounts],
  );
  for (const [index, account] of accounts.entries()) {
    const purse = oracle.purse(account);
    const { purchased, granted, usageCents, owed } = stored[index];
    expect({
      purchased: purchased ?? 0,
      granted: granted ?? 0,
      usageCents: usageCents ?? 0,
      owed: owed ?? 0,
      left: (await countRunsLeft(world.db, account, now)).left,
      usable: (await findUsableGrant(world.db, account, { now, policy: modelPolicy })) !== null,
    }).toEqual({
      purchased: purse.purchased,
      granted: purse.lots.reduce((sum, lot) => sum + lot.held, 0),
      usageCents: purse.usageCents,
      owed: oracle.owedCredits(account),
      left: oracle.runsLeft(account),
      usable: oracle.usableLot(account) !== null,
    });
  }
}

export function pick<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
