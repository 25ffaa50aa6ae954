import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { BatchChange, BatchChangeAnswer } from '../purchase/batches.js';
import { batchWorkflowId, changeBatch } from '../workflows/batch-interface.js';
import type { reportBatch } from '../workflows/report-batch.js';
import { type RunSettings, searchAttributes } from '../workflows/report-interface.js';

/** Starts and changes the workflows of batches: the API's view of the service that buys their rows. */
export interface BatchRuns {
  /** Does nothing if the batch has a workflow. @throws BatchUnreachable */
  start(batch: BatchOfAccount): Promise<void>;
  /** Starts the workflow if it has ended or is lost. @throws BatchUnreachable */
  change(batch: BatchOfAccount, change: BatchChange): Promise<BatchChangeAnswer>;
}

interface BatchOfAccount {
  readonly id: string;
  readonly accountId: string;
  readonly lane: string;
  readonly name: string | null;
}

/** Temporal or its workers did not answer in time. A change may still be carried out. */
export class BatchUnreachable extends Error {
  readonly retryAfterSeconds = 5;

  constructor(options: ErrorOptions) {
    super('The batch cannot be reached at the moment. Send the request again.', options);
    this.name = 'BatchUnreachable';
  }
}

export interface BatchRunsOptions {
  readonly client: Client;
  readonly taskQueue: string;
  readonly runs: RunSettings;
  readonly now: () => Date;
}

/** How long a caller waits for the workflow to have carried a change out. */
const answerWithinMs = 8_000;

export function createBatchRuns({ client, taskQueue, runs, now }: BatchRunsOptions): BatchRuns {
  const startOf = ({ id, accountId, lane, name }: BatchOfAccount) => ({
    workflowId: batchWorkflowId(id),
    taskQueue,
    args: [{ batchId: id, accountId, runs }] satisfies Parameters<typeof reportBatch>,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: `Batch · ${name ?? id}`,
    staticDetails: `Rows of account \`${accountId}\`, paid by ${lane}.`,
    typedSearchAttributes: [
      { key: searchAttributes.AccountId, value: accountId },
      { key: searchAttributes.BatchId, value: id },
      { key: searchAttributes.Lane, value: lane },
    ],
  });
  const inTime = <Result>(ask: () => Promise<Result>) =>
    client.withDeadline(now().getTime() + answerWithinMs, ask).catch((cause: unknown) => {
      throw new BatchUnreachable({ cause });
    });
  return {
    start: async batch => {
      await inTime(() => client.workflow.start('reportBatch', startOf(batch)));
    },
    change: (batch, change) =>
      inTime(() =>
        client.workflow.executeUpdateWithStart(changeBatch, {
          args: [change],
          startWorkflowOperation: new WithStartWorkflowOperation<typeof reportBatch>(
            'reportBatch',
            startOf(batch),
          ),
        }),
      ),
  };
}
