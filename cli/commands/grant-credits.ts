import { randomUUID } from 'node:crypto';
import { findAccountByEmail } from '../../db/accounts/accounts.js';
import type { Db } from '../../db/database.js';
import { grantCredits } from '../../db/ledger/credit-grants.js';
import { commandLine } from '../groups/command-line.js';
import { Failure } from '../terminal/failure.js';
import type { Output } from '../terminal/output.js';

export interface EmailGrant {
  readonly email: string;
  readonly credits: number;
  readonly reason: string;
}

export async function grantAndReport(db: Db, output: Output, grant: EmailGrant): Promise<void> {
  const balance = await grantByEmail(db, grant);
  output.result(
    { email: grant.email, granted_credits: grant.credits, balance_credits: balance },
    `Granted ${grant.credits} credits to ${grant.email}; the balance is now ${balance}.`,
  );
  output.next(`The account sees it at /api/credits/ledger; ${commandLine('ledger check')} audits the books.`);
}

/** @returns the new balance of purchased credits. @throws Failure when no account has the address */
export async function grantByEmail(db: Db, { email, credits, reason }: EmailGrant): Promise<number> {
  const { id: accountId } = await requireAccount(db, email);
  return grantCredits(db, { accountId, credits, reason, operationId: randomUUID(), now: new Date() });
}

/** @throws Failure when no account has the address */
export async function requireAccount(db: Db, email: string): Promise<{ readonly id: string }> {
  const account = await findAccountByEmail(db, email);
  if (account !== null) return account;
  throw new Failure(`There is no account with the address ${email}.`, {
    next: 'Its owner must first sign up, in the browser or at /api/auth/sign-up/email, and sign in once. Or correct --email.',
  });
}
