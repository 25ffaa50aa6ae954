import { lockAccount } from '../accounts/accounts.js';
import { collectOwedCredits } from '../billing/reverse-purchase.js';
import type { Db } from '../database.js';
import { balanceCredits, postTransfer } from './ledger.js';

/**
 * Credits granted by an operator. Invariants: one operation id grants once, even when the command is retried;
 * what the account owes is collected from the grant, so an operator can settle a debt with one.
 */
export interface CreditGrant {
  readonly accountId: string;
  /** At least 1. */
  readonly credits: number;
  readonly reason: string;
  /** Idempotency key of the grant. */
  readonly operationId: string;
  readonly now: Date;
}

/** @returns the account's purchased credits after the grant. */
export async function grantCredits(db: Db, grant: CreditGrant): Promise<number> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, grant.accountId);
    const operationKey = `grant/${grant.operationId}`;
    const earlier = await tx
      .selectFrom('ledger_transfers')
      .select('id')
      .where('operation_key', '=', operationKey)
      .executeTakeFirst();
    if (earlier === undefined) {
      await postTransfer(tx, {
        operationKey,
        kind: 'grant',
        accountId: grant.accountId,
        reportId: null,
        apiKeyId: null,
        pool: 'purchased',
        house: 'house_issued',
        amountCredits: grant.credits,
        reason: grant.reason,
        now: grant.now,
      });
      await collectOwedCredits(tx, grant.accountId, grant.now);
    }
    return balanceCredits(tx, grant.accountId, 'purchased');
  });
}
