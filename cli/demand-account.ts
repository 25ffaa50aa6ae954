import { findAccountByEmail } from '../db/accounts.js';
import type { Db } from '../db/database.js';
import { Failure } from './failure.js';

/** @throws Failure when nobody has that address. */
export async function demandAccount(db: Db, email: string): Promise<{ readonly id: string }> {
  const account = await findAccountByEmail(db, email);
  if (account !== null) return account;
  throw new Failure(`There is no account with the address ${email}.`, {
    next: 'Whose it is signs up first, in the browser or at /api/auth/sign-up/email, and signs in once; or correct --email.',
  });
}
