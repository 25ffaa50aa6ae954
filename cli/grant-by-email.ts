import { randomUUID } from 'node:crypto';
import type { Db } from '../db/database.js';
import { grantCredits } from '../db/grants.js';
import { demandAccount } from './demand-account.js';

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
