import { z } from 'zod';
import { batchLanes, batchPauses, batchRowStates, batchStatuses } from '../../purchase/batches.js';
import {
  batchBudgetCreditsMax,
  batchDryRunsPerMinute,
  batchFreshRowsPerDay,
  batchInFlightDefault,
  batchInFlightMax,
  batchNameMaxChars,
  batchRowsInFlightPerAccount,
  batchRowsMax,
  keptRowsPerDayPerAccount,
  quotedCreditsMax,
} from '../../purchase/limits.js';
import { eventIdParameter } from '../events.js';
import { notModified, type Operation } from '../operation.js';
import {
  afterRowParameter,
  batchWaitHeader,
  limitParameter,
  minMembersField,
  pagingParameters,
  requiredIdempotencyHeader,
} from '../parameters.js';
import { count, credits, label, list, page, reportId, timestamp, timestampOrNull } from '../parts.js';

const lane = z.enum(batchLanes).meta({ id: 'BatchLane' });
const status = z.enum(batchStatuses).meta({ id: 'BatchStatus' });
const pausedReason = z.enum(batchPauses).meta({ id: 'BatchPause' });
const rowState = z.enum(batchRowStates).meta({ id: 'BatchRowState' });
const rowKind = z.enum(['fresh', 'cached', 'owned']).meta({ id: 'BatchRowKind' });
const plannedKind = z.enum([...rowKind.options, 'refused']).meta({ id: 'PlannedRowKind' });

const eventId = eventIdParameter.describe('Identifier of an event, from `GET /api/events`. A slug is none.');

const budgetCredits = z
  .int()
  .min(1)
  .max(batchBudgetCreditsMax)
  .describe('The most that the batch may spend. It never does, at no moment, whatever runs at once.');

const newBatchSchema = z
  .strictObject({
    name: label(batchNameMaxChars).optional().describe('A label for the batch.'),
    events: z
      .array(eventId)
      .min(1)
      .max(batchRowsMax)
      .readonly()
      .describe(
        'The events, each once, in the order in which their reports are bought. `polymarket:ID` names the same event as `ID`, and tickers of Kalshi have no letter case.',
      ),
    lane: lane.describe('How to pay. A weekly grant pays for no row of a batch, nor does a subscription.'),
    budget_credits: budgetCredits,
    max_credits_each: z
      .int()
      .min(1)
      .max(quotedCreditsMax)
      .optional()
      .describe('The most that one report may cost. A dearer one is refused with `quote_expired`.'),
    min_members: minMembersField,
    max_in_flight: z
      .int()
      .min(1)
      .max(batchInFlightMax)
      .optional()
      .describe(
        `How many reports of the batch may run at once. All batches of an account together have ${batchRowsInFlightPerAccount}. Default: ${batchInFlightDefault}.`,
      ),
    dry_run: z
      .boolean()
      .optional()
      .describe('Return what the batch would cost now, and store, buy and charge nothing. Default: false.'),
  })
  .meta({ id: 'NewBatch' });

const batchChangesSchema = z
  .strictObject({
    budget_credits: budgetCredits
      .optional()
      .describe(
        'The new budget, at least what is spent. A higher one lets a batch go on that had paused for its budget.',
      ),
    status: z
      .enum(['running', 'paused', 'cancelled'])
      .optional()
      .describe(
        '`paused`: no further report is bought until it is `running` again. `cancelled`: none is bought any more. Reports that run end in any case.',
      ),
  })
  .meta({ id: 'BatchChanges' });

const batchParameters = z.object({
  id: z.uuid('There is no batch with this id.').describe('Identifier of the batch.'),
});

const rowsParameters = z.object({
  state: rowState.optional().describe('Return only rows in this state.'),
  after: afterRowParameter,
  limit: limitParameter,
});

const rowCountsShape = z
  .object({
    total: count,
    waiting: count.describe('Not bought yet.'),
    running: count.describe('Bought, and their runs go on.'),
    completed: count,
    failed: count.describe('Their runs failed and were refunded.'),
    refused: count.describe('Not bought, because the same purchase would be refused again.'),
  })
  .meta({ id: 'BatchRowCounts' });

const batchShape = z
  .object({
    batch_id: z.string(),
    name: z.string().nullable(),
    status: status.describe('`completed`: no row waits or runs. `cancelled`: none is bought any more.'),
    paused_reason: pausedReason
      .nullable()
      .describe(
        'Why it is `paused`, otherwise null. `budget`: the next report does not fit into what is left. `balance`: the account cannot pay for it. `house_limit`: the service sells no more fresh reports today. `asked`: by you.',
      ),
    resumes_at: timestampOrNull.describe(
      'When it goes on by itself, after `house_limit`. Null if it does not pause, or waits for you.',
    ),
    lane,
    rows: rowCountsShape,
    credits: z
      .object({
        budget: credits,
        spent: credits.describe(
          'What its rows were charged and not refunded, running ones included. Never above `budget`.',
        ),
      })
      .meta({ id: 'BatchCredits' }),
    max_credits_each: credits.nullable().describe('The most that one report may cost; null without a limit.'),
    min_members: count.describe('The fewest valid opinions of a report that is bought.'),
    max_in_flight: count.describe('How many of its reports may run at once.'),
    api_key_id: z.string().nullable().describe('The API key that created it; null for a session.'),
    created_at: timestamp,
    ended_at: timestampOrNull.describe('When it was completed or cancelled.'),
  })
  .meta({ id: 'Batch' });

const batchListShape = z
  .object({ batches: list(batchShape), ...page, total: count })
  .meta({ id: 'BatchList' });

const batchRowShape = z
  .object({
    position: z.int().min(1).describe('Its place in the batch, from 1.'),
    event_id: z.string(),
    state: rowState,
    kind: rowKind
      .nullable()
      .describe(
        '`fresh`: a new run. `cached`: a report of the day, at half the price. `owned`: one that the account had, for free. Null until it is bought.',
      ),
    report_id: reportId.nullable().describe('Null until it is bought.'),
    credits: credits.describe('What it was charged and not refunded.'),
    code: z
      .string()
      .nullable()
      .describe(
        'Why it was refused, as the `code` of a problem, or why its run failed, as `failure.code` of the report. Otherwise null.',
      ),
  })
  .meta({ id: 'BatchRow' });

const batchRowListShape = z
  .object({
    rows: list(batchRowShape),
    next: z.int().min(1).nullable().describe('Pass it as `after` for the next rows; null at the end.'),
  })
  .meta({ id: 'BatchRowList' });

const plannedRowShape = z
  .object({
    event_id: z.string(),
    kind: plannedKind.describe(
      'What the purchase would be now. An event that the service has never read counts as `fresh`, whether or not it exists.',
    ),
    credits: credits.describe('What it would cost now; 0 if it is owned or refused.'),
    code: z
      .string()
      .optional()
      .describe(
        'The `code` of the problem: of a `refused` row why it is refused for good, of another why the batch would wait with it, such as `insufficient_credits`.',
      ),
  })
  .meta({ id: 'PlannedRow' });

const batchPlanShape = z
  .object({
    rows: list(plannedRowShape),
    credits: z
      .object({
        expected: credits.describe('The sum of all rows. More than the budget buys only a part of them.'),
        at_most: credits.describe(
          'The most that these rows could cost the batch if prices rise: its budget, or `max_credits_each` for each row that is neither owned nor refused, whichever is less.',
        ),
      })
      .meta({ id: 'PlannedCredits' }),
  })
  .meta({ id: 'BatchPlan' });

export type NewBatchBody = z.infer<typeof newBatchSchema>;
export type BatchView = z.infer<typeof batchShape>;
export type BatchRowView = z.infer<typeof batchRowShape>;
export type BatchPlanView = z.infer<typeof batchPlanShape>;
export type PlannedRowView = z.infer<typeof plannedRowShape>;

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
