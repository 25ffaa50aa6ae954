import { randomUUID } from 'node:crypto';
import type { Db } from '../../db/database.js';
import { grantCredits } from '../../db/ledger/credit-grants.js';
import { commandLine } from '../groups/command-line.js';
import type { Output } from '../terminal/output.js';
import { type AccountName, requireAccount } from './find-account.js';

export interface OperatorGrant {
  readonly account: AccountName;
  readonly credits: number;
  readonly reason: string;
}

export async function grantAndReport(db: Db, output: Output, grant: OperatorGrant): Promise<void> {
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
