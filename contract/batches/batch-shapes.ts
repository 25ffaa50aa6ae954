import { z } from 'zod';
import { batchLanes, batchPauses, batchRowStates, batchStatuses } from '../../purchase/batches.js';
import {
  batchBudgetCreditsMax,
  batchInFlightDefault,
  batchInFlightMax,
  batchNameMaxChars,
  batchRowsInFlightPerAccount,
  batchRowsMax,
  quotedCreditsMax,
} from '../../purchase/limits.js';
import { eventIdParameter } from '../events.js';
import { afterRowParameter, limitParameter, minMembersField } from '../parameters.js';
import { count, credits, label, list, model, page, reportId, timestamp, timestampOrNull } from '../parts.js';

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

export const newBatchSchema = z
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

export const batchChangesSchema = z
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

export const batchParameters = z.object({
  id: z.uuid('There is no batch with this id.').describe('Identifier of the batch.'),
});

export const rowsParameters = z.object({
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

export const batchShape = z
  .object({
    batch_id: z.string(),
    name: z.string().nullable(),
    status: status.describe('`completed`: no row waits or runs. `cancelled`: none is bought any more.'),
    paused_reason: pausedReason
      .nullable()
      .describe(
        'Why it is `paused`, otherwise null. `budget`: the next report does not fit into what is left. `balance`: the account cannot pay for it. `house_limit`: the service sells no more fresh reports today. `member`: its last three runs failed, each without `paused_member`. `asked`: by you.',
      ),
    paused_member: model.nullable().describe('The member whose failures have paused it; otherwise null.'),
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

export const batchListShape = z
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

export const batchRowListShape = z
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

export const batchPlanShape = z
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
