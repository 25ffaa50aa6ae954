import type { Db } from '../../db/database.js';
import { commandLine } from '../groups/command-line.js';
import type { Output } from '../terminal/output.js';
import { grantByEmail } from './grant-by-email.js';

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
  output.next(`The account sees it at /api/credits/ledger; ${commandLine('ledger check')} audits the books.`);
}
