import { setTimeout as pause } from 'node:timers/promises';
import type { BatchView } from '../../contract/batches/batch-shapes.js';
import { findBatch } from '../../db/batches/batches.js';
import type { ApiContext } from '../context.js';
import { etagOf } from '../http/etag.js';
import { presentBatch } from '../present/batches.js';
import { type HeldAnswers, type HeldQuery, holdAnswer } from './held-answers.js';

/** A batch as its owner sees it. */
export interface BatchVersion {
  readonly json: string;
  readonly etag: string;
  /** Whether it may change although nobody asks for it. */
  readonly goesOn: boolean;
}

interface BatchQuery extends HeldQuery {
  readonly id: string;
  /** Whether the response is held from this version on: not if the caller has an earlier one. */
  readonly isPresent: (etag: string) => boolean;
}

/** Nothing tells of a batch when its rows are bought. */
const readEveryMs = 1_000;

/**
 * The batch once something of it has changed, or after the caller's wait time; null if the account has no such batch.
 * @throws Problem if the batch can still change and no more responses may be held
 */
export async function waitForBatch(
  context: Pick<ApiContext, 'db' | 'now'> & { readonly heldAnswers: HeldAnswers },
  query: BatchQuery,
): Promise<BatchVersion | null> {
  const read = async () => {
    const batch = await findBatch(context.db, query);
    return batch === null ? null : versionOf(presentBatch(batch));
  };
  const first = await read();
  if (first === null || query.waitSeconds === 0 || !first.goesOn || !query.isPresent(first.etag))
    return first;
  return holdAnswer(context, query, {
    first,
    read,
    isHeld: ({ etag }) => etag === first.etag,
    next: async (waitMaxMs, signal) => {
      await pause(Math.min(waitMaxMs, readEveryMs), null, { signal }).catch(() => undefined);
    },
  });
}

function versionOf(batch: BatchView): BatchVersion {
  const json = JSON.stringify(batch);
  return { json, etag: etagOf(json), goesOn: batch.ended_at === null || batch.rows.running > 0 };
}
