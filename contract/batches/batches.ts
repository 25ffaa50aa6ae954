import { z } from 'zod';
import {
  batchDryRunsPerMinute,
  batchFreshRowsPerDay,
  batchRowsInFlightPerAccount,
  keptRowsPerDayPerAccount,
} from '../../purchase/limits.js';
import { notModified, type Operation } from '../operation.js';
import { batchWaitHeader, pagingParameters, requiredIdempotencyHeader } from '../parameters.js';
import {
  batchChangesSchema,
  batchListShape,
  batchParameters,
  batchPlanShape,
  batchRowListShape,
  batchShape,
  newBatchSchema,
  rowsParameters,
} from './batch-shapes.js';

const batchId = '7d0f3f0e-9a1c-4a6b-8f5e-2c4b1d9e6a30';
const ownBatch = 'An account that created the batch. Others get `not_found`.';

const linksToBatch = {
  ReadIt: {
    operationId: 'getBatch',
    description: 'The batch.',
    parameters: { id: '$response.body#/batch_id' },
  },
  ReadRows: {
    operationId: 'listBatchRows',
    description: 'Its rows.',
    parameters: { id: '$response.body#/batch_id' },
  },
} as const;

export const batchOperations = {
  createBatch: {
    method: 'post',
    path: '/api/batches',
    tag: 'Batches',
    access: 'anyone',
    scope: 'spend',
    summary: 'Buy reports on many events',
    description: `Buys the report of each event as \`POST /api/reports\` would, a few at a time, within a budget: one that you own for free, one of the day at half the price, otherwise a fresh one. The reports are ordinary ones, refunded if they fail. They do not count towards the fresh runs of an hour; batches of an account have a bound of their own, ${batchRowsInFlightPerAccount} fresh reports at once and ${batchFreshRowsPerDay} started a UTC day. Single purchases go before them. The batch pauses if the next report does not fit into its budget, and when the account cannot pay. With \`dry_run\` the answer is 200 with what each report would cost now. 503 \`unavailable\` with \`outcome: unknown\` does not say whether the batch was started: repeat the request with the same \`Idempotency-Key\`. An account can create ${keptRowsPerDayPerAccount} batches in 24 hours and ask for ${batchDryRunsPerMinute} dry runs a minute.`,
    costs:
      'As for single reports: the current price of each when it is bought, half for a cached one, nothing for an owned one; `byok`: 50 credits. Never more than `budget_credits` in all. A dry run: nothing.',
    needs: 'Purchased credits, and for `byok` your own provider keys.',
    headers: requiredIdempotencyHeader,
    examples: { 'Idempotency-Key': 'fed-2031-03-01' },
    body: {
      schema: newBatchSchema,
      examples: {
        plan: {
          summary: 'What it would cost',
          value: {
            events: ['sample-fed-cut-2031', 'sample-hottest-year-2031'],
            lane: 'credits',
            budget_credits: 300,
            dry_run: true,
          },
        },
        batch: {
          summary: 'Two reports, of at most 150 credits each',
          value: {
            name: 'Fed and weather',
            events: ['sample-fed-cut-2031', 'sample-hottest-year-2031'],
            lane: 'credits',
            budget_credits: 300,
            max_credits_each: 150,
          },
        },
      },
    },
    answers: {
      200: {
        description: 'The answer to a dry run. Nothing was stored.',
        schema: batchPlanShape,
        examples: { plan: 'What two reports would cost' },
      },
      201: {
        description: 'The batch was stored and started. Read it at `Location`.',
        schema: batchShape,
        examples: { created: 'A new batch' },
        headers: ['Location', 'Idempotent-Replayed'],
        links: linksToBatch,
      },
    },
    problems: ['account_suspended', 'lane_unavailable', 'idempotency_mismatch'],
  },
  listBatches: {
    method: 'get',
    path: '/api/batches',
    tag: 'Batches',
    access: 'anyone',
    summary: 'List your batches',
    description: 'Returns the account’s batches, newest first.',
    query: z.object(pagingParameters),
    examples: { page: 1, per_page: 20 },
    answers: {
      200: { description: 'One page of batches.', schema: batchListShape, examples: { one: 'One batch' } },
    },
  },
  getBatch: {
    method: 'get',
    path: '/api/batches/{id}',
    tag: 'Batches',
    access: 'anyone',
    summary: 'Read a batch',
    description:
      'Returns how far the batch is and what it has spent. Send `Prefer: wait=30` to hold the response until something of it changes; one that has ended and of which no report runs is answered at once. Send the `ETag` of what you have as `If-None-Match` with it, so that no change between two requests is missed.',
    needs: ownBatch,
    parameters: batchParameters,
    headers: batchWaitHeader,
    examples: { id: batchId, Prefer: 'wait=30' },
    answers: {
      200: {
        description: 'The batch in its present state.',
        schema: batchShape,
        examples: {
          running: 'It runs',
          paused: 'It waits for a higher budget',
          completed: 'All rows have ended',
        },
        headers: ['ETag', 'Preference-Applied'],
      },
      304: { ...notModified, headers: ['ETag', 'Preference-Applied'] },
    },
  },
  listBatchRows: {
    method: 'get',
    path: '/api/batches/{id}/rows',
    tag: 'Batches',
    access: 'anyone',
    summary: 'List the rows of a batch',
    description:
      'Returns the events of the batch in their order, each with its report and what it cost, or why it was refused.',
    needs: ownBatch,
    parameters: batchParameters,
    query: rowsParameters,
    examples: { id: batchId, state: 'failed', after: 0, limit: 100 },
    answers: {
      200: {
        description: 'The next rows.',
        schema: batchRowListShape,
        examples: { three: 'Two reports, and an event that has closed' },
      },
    },
  },
  updateBatch: {
    method: 'patch',
    path: '/api/batches/{id}',
    tag: 'Batches',
    access: 'anyone',
    scope: 'spend',
    summary: 'Pause, resume or cancel a batch, or change its budget',
    description:
      'Changes the fields that are sent. Reports that run end in any case. Once it is answered, a paused or cancelled batch buys nothing more. A batch that has ended changes no more, and a budget below what is spent is refused: both are an `invalid_request`. With 503 `unavailable` the change may still be made.',
    needs: ownBatch,
    parameters: batchParameters,
    examples: { id: batchId },
    body: {
      schema: batchChangesSchema,
      examples: {
        pause: { summary: 'Buy nothing more for now', value: { status: 'paused' } },
        raise: { summary: 'Go on with a higher budget', value: { budget_credits: 1_000 } },
      },
    },
    answers: {
      200: { description: 'The changed batch.', schema: batchShape, examples: { paused: 'It was paused' } },
    },
  },
  retryBatch: {
    method: 'post',
    path: '/api/batches/{id}/retry',
    tag: 'Batches',
    access: 'anyone',
    scope: 'spend',
    summary: 'Try failed and refused rows again',
    description:
      'Lets the failed and refused rows of the batch be bought again, within its budget. A batch that was completed runs again; one that was cancelled is an `invalid_request`. With 503 `unavailable` the rows may still be tried again.',
    costs: 'As for the batch: what its rows cost when they are bought, within its budget.',
    needs: ownBatch,
    parameters: batchParameters,
    examples: { id: batchId },
    answers: {
      200: { description: 'The batch.', schema: batchShape, examples: { running: 'It runs again' } },
    },
    problems: ['invalid_request'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
