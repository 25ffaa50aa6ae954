import { randomUUID } from 'node:crypto';
import { findAccountByEmail } from '../../db/accounts/accounts.js';
import type { Db } from '../../db/database.js';
import { grantCredits } from '../../db/ledger/credit-grants.js';
import { Failure } from '../terminal/failure.js';

/** @returns the account's purchased credits afterwards. @throws Failure when nobody has that address. */
export async function grantByEmail(
  db: Db,
  grant: { email: string; credits: number; reason: string },
): Promise<number> {
  const account = await demandAccount(db, grant.email);
  return grantCredits(db, {
    accountId: account.id,
    credits: grant.credits,
    reason: grant.reason,
    operationId: randomUUID(),
    now: new Date(),
  });
}

/** @throws Failure when nobody has that address. */
export async function demandAccount(db: Db, email: string): Promise<{ readonly id: string }> {
  const account = await findAccountByEmail(db, email);
  if (account !== null) return account;
  throw new Failure(`There is no account with the address ${email}.`, {
    next: 'Whose it is signs up first, in the browser or at /api/auth/sign-up/email, and signs in once; or correct --email.',
  });
}
