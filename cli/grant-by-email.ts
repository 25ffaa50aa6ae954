import { randomUUID } from 'node:crypto';
import { findAccountByEmail } from '../db/accounts.js';
import type { Db } from '../db/database.js';
import { grantCredits } from '../db/grants.js';

/** @returns the account's purchased credits afterwards. @throws Error when nobody has that address. */
export async function grantByEmail(
  db: Db,
  grant: { email: string; credits: number; reason: string },
): Promise<number> {
  const account = await findAccountByEmail(db, grant.email);
  if (account === null) throw new Error(`There is no account with the address ${grant.email}.`);
  return grantCredits(db, {
    accountId: account.id,
    credits: grant.credits,
    reason: grant.reason,
    operationId: randomUUID(),
    now: new Date(),
  });
}
