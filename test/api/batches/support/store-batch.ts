import { randomUUID } from 'node:crypto';
import { createBatch } from '../../../../db/batches/batches.js';
import type { Db } from '../../../../db/database.js';

/** Stores a batch that is completed, with the same report in each row. */
export async function storeCompletedBatch(
  db: Db,
  {
    reportId,
    ...stored
  }: { readonly accountId: string; readonly eventIds: readonly string[]; readonly reportId: number },
): Promise<string> {
  const id = await storeBatch(db, stored);
  const now = new Date();
  const bought = { state: 'bought', kind: 'owned', report_id: reportId, decided_at: now } as const;
  await db.updateTable('batch_rows').set(bought).where('batch_id', '=', id).execute();
  await db.updateTable('batches').set({ status: 'completed', ended_at: now }).where('id', '=', id).execute();
  return id;
}

/** Stores a batch that nothing runs. */
async function storeBatch(
  db: Db,
  { accountId, eventIds }: { readonly accountId: string; readonly eventIds: readonly string[] },
): Promise<string> {
  const id = randomUUID();
  await createBatch(db, {
    id,
    accountId,
    apiKeyId: null,
    name: 'of-the-owner',
    lane: 'credits',
    budgetCredits: 1,
    maxCreditsEach: null,
    minMembers: 2,
    maxInFlight: 1,
    eventIds,
    idempotency: { key: id, fingerprint: id },
    now: new Date(),
  });
  return id;
}
