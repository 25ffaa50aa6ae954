import { randomUUID } from 'node:crypto';
import type { Db } from '../../../db/database.js';
import { postTransfer } from '../../../db/ledger/ledger.js';
import { noon } from './test-world.js';

/** Spends purchased credits, so they cannot be taken back. */
export async function spendCredits(db: Db, accountId: string, credits: number): Promise<void> {
  await db.transaction().execute(async tx => {
    await postTransfer(tx, {
      operationKey: randomUUID(),
      kind: 'adjustment',
      accountId,
      reportId: null,
      apiKeyId: null,
      pool: 'purchased',
      house: 'house_earned',
      amountCredits: -credits,
      reason: 'spent',
      now: noon,
    });
  });
}
