import { lockAccount } from '../accounts/accounts.js';
import type { Db } from '../database.js';
import { balanceCredits, postTransfer } from './ledger.js';

/** Credits given by the house, by name of who asked for it and why. */
export interface CreditGrant {
  readonly accountId: string;
  /** At least 1. */
  readonly credits: number;
  readonly reason: string;
  /** The same id grants once, however often it is tried. */
  readonly operationId: string;
  readonly now: Date;
}

/** @returns the account's purchased credits afterwards. */
export async function grantCredits(db: Db, grant: CreditGrant): Promise<number> {
  return db.transaction().execute(async tx => {
    await lockAccount(tx, grant.accountId);
    const operationKey = `grant/${grant.operationId}`;
    const done = await tx
      .selectFrom('ledger_transfers')
      .select('id')
      .where('operation_key', '=', operationKey)
      .executeTakeFirst();
    if (done === undefined) {
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
    }
    return balanceCredits(tx, grant.accountId, 'purchased');
  });
}
