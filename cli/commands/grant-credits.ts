import type { Db } from '../../db/database.js';
import { asTyped } from '../as-typed.js';
import { grantByEmail } from '../grant-by-email.js';
import type { Output } from '../output.js';

export async function grantCredits(
  db: Db,
  output: Output,
  grant: { email: string; credits: number; reason: string },
): Promise<void> {
  const balance = await grantByEmail(db, grant);
  output.result(
    { email: grant.email, granted_credits: grant.credits, balance_credits: balance },
    `${grant.email} was given ${grant.credits} credits and now has ${balance}.`,
  );
  output.next(`The account sees it at /api/credits/ledger; ${asTyped('ledger check')} audits the books.`);
}
