import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { BatchActivities } from '../activities/batches/batch-activities.js';
import type { BatchProgress } from '../purchase/batches.js';
import { databaseWrite, rowPage } from './activity-options.js';
import { batchProgress, changeBatch, type ReportBatchInput } from './batch-interface.js';
import { autoUpgrade } from './regrade.js';

setWorkflowOptions(autoUpgrade, reportBatch);

/**
 * One batch: page after page of its rows is bought, never more at once than it may have in flight; a batch that is paused
 * waits for a change. Each row is an ordinary report, whose run does not depend on this one. The database decides what is
 * bought, so that a batch may be started twice, or again after it was lost.
 */
export async function reportBatch({ batchId, accountId, runs }: ReportBatchInput): Promise<BatchProgress> {
  const { buyRows } = proxyActivities<BatchActivities>({ ...rowPage, summary: 'buy rows' });
  const { changeBatch: change } = proxyActivities<BatchActivities>({ ...databaseWrite, summary: 'change' });
  let last: BatchProgress | null = null;
  let isChanged = false;
  setHandler(
    changeBatch,
    async request => {
      const answer = await change({ batchId, accountId, ...request });
      isChanged = true;
      return answer;
    },
    { description: 'Pauses, resumes or cancels the batch, or changes its budget.' },
  );
  setHandler(batchProgress, () => last, {
    description: 'How far the batch was at the end of its last page.',
  });
  for (;;) {
    isChanged = false;
    const page = await buyRows({ batchId, accountId, runs });
    last = page.progress;
    setCurrentDetails(describe(last));
    if (page.next === 'ended') {
      await condition(allHandlersFinished);
      // A change that came since may have given it rows to buy again.
      if (!isChanged) return last;
    }
    if (page.next === 'wait') {
      await (page.waitMs === null
        ? condition(() => isChanged)
        : condition(() => isChanged, Math.max(1, page.waitMs)));
    }
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof reportBatch>({ batchId, accountId, runs });
    }
  }
}

function describe({ status, pausedReason, rows, credits }: BatchProgress): string {
  const state = pausedReason === null ? status : `${status}: ${pausedReason}`;
  const done = rows.completed + rows.failed + rows.refused;
  return `${state} · ${done} of ${rows.total} rows, ${rows.running} running, ${credits.spent} of ${credits.budget} credits`;
}
