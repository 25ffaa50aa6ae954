import { changeBatch } from '../../db/batches/change-batch.js';
import type { BatchChange, BatchChangeAnswer } from '../../purchase/batches.js';
import { type BuyRowsDependencies, type BuyRowsInput, buyRows } from './buy-rows.js';

export type BatchActivities = ReturnType<typeof createBatchActivities>;

/** The activities of the workflow `reportBatch`. */
export function createBatchActivities(deps: BuyRowsDependencies) {
  return {
    buyRows: (input: BuyRowsInput) => buyRows(deps, input),
    changeBatch: ({
      batchId,
      accountId,
      ...change
    }: BatchChange & { readonly batchId: string; readonly accountId: string }): Promise<BatchChangeAnswer> =>
      changeBatch(deps.db, { accountId, id: batchId, now: deps.now() }, change),
  };
}
