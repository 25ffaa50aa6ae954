import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Db } from '../../db/database.js';
import { grantCredits } from '../../db/ledger/credit-grants.js';
import type { CommandContext } from '../command-context.js';
import { commandLine, examples, wholeNumber } from '../terminal/command-line.js';
import type { Output } from '../terminal/output.js';
import {
  type AccountName,
  type AccountOptions,
  accountNamed,
  named,
  requireAccount,
} from './find-account.js';

/** Adds the commands of this file to their group. */
export function register(group: Command, context: CommandContext): void {
  named(group.command('grant'))
    .description(
      'Grants purchased credits to an account; what it owes is deducted. The ledger records the reason.',
    )
    .summary('grant credits to an account')
    .requiredOption('--credits <n>', 'the number of credits', wholeNumber)
    .requiredOption('--reason <text>', 'the reason, for the ledger')
    .addHelpText(
      'after',
      examples(
        'credits grant --email you@example.com --credits 500 --reason "first credits"',
        'credits grant --id 3f0c6c9e-8a0e-4b8e-9a55-0d5b1c7f2f11 --credits 500 --reason "first credits"',
      ),
    )
    .action(async ({ credits, reason, ...options }: AccountOptions & { credits: number; reason: string }) => {
      const account = accountNamed(options);
      await context.database(db => grantAndReport(db, context.output, { account, credits, reason }));
    });
}

interface OperatorGrant {
  readonly account: AccountName;
  readonly credits: number;
  readonly reason: string;
}

async function grantAndReport(db: Db, output: Output, grant: OperatorGrant): Promise<void> {
  const { id, email, balance } = await grantToAccount(db, grant);
  output.result(
    { account_id: id, email, granted_credits: grant.credits, balance_credits: balance },
    `Granted ${grant.credits} credits to ${email ?? id}; the balance is now ${balance}.`,
  );
  output.next(`The account sees it at /api/credits/ledger; ${commandLine('ledger check')} audits the books.`);
}

/** @returns the account, and its new balance of purchased credits. @throws Failure unless there is exactly one */
export async function grantToAccount(
  db: Db,
  { account, credits, reason }: OperatorGrant,
): Promise<{ readonly id: string; readonly email: string | null; readonly balance: number }> {
  const { id, email } = await requireAccount(db, account);
  const grant = { accountId: id, credits, reason, operationId: randomUUID(), now: new Date() };
  return { id, email, balance: await grantCredits(db, grant) };
}
