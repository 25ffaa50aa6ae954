import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { CouncilModel } from '../../council/models.js';

const milliseconds = z.int().positive();

const retrySchema = z.strictObject({
  initial_interval_ms: milliseconds,
  backoff: z.number().min(1),
  maximum_interval_ms: milliseconds,
  maximum_attempts: z.int().positive().optional(),
});

const boundedPolicy = z.strictObject({
  start_to_close_ms: milliseconds,
  schedule_to_close_ms: milliseconds,
  retry: retrySchema,
});

/** The chores of `workflows/chores.ts`, and the sweep that grades; a test holds them together. */
const scheduledWorkflows = [
  'sendUsage',
  'releaseStrandedRuns',
  'checkLedger',
  'expireGrants',
  'regradeDue',
] as const;

const scheduleSchema = z.strictObject({
  id: z.string().regex(/^[a-z]+(-[a-z]+)*$/, 'must be words in lower case, joined by hyphens'),
  workflow: z.enum(scheduledWorkflows),
  every_seconds: z.int().positive(),
  /** The server takes no window below ten seconds. */
  catchup_window_seconds: z.int().min(10),
});

const manifestSchema = z.strictObject({
  namespace: z.string().min(1),
  retention_days: z.int().positive(),
  search_attributes: z.record(z.string(), z.enum(['Keyword', 'Int', 'Bool'])),
  task_queue: z.string().min(1),
  versioning: z.strictObject({
    deployment_name: z.string().regex(/^[^.:]+$/, 'must hold no dot and no colon'),
  }),
  worker: z.strictObject({
    workflow_task_slots: z.int().positive(),
    activity_slots: z.int().positive(),
    eager_activities_per_workflow_task: z.int().nonnegative(),
    shutdown_grace_ms: milliseconds,
  }),
  model_calls: z.strictObject({
    queue_prefix: z.string().min(1),
    slots: z.int().positive(),
    gather_ms: z.int().nonnegative(),
    per_second: z.strictObject({
      claude: z.number().positive(),
      gpt: z.number().positive(),
      gemini: z.number().positive(),
      grok: z.number().positive(),
    }),
  }),
  policies: z.strictObject({
    purchase: boundedPolicy,
    market_read: boundedPolicy,
    model_call: z.strictObject({ heartbeat_ms: milliseconds, retry: retrySchema }),
    bookkeeping: boundedPolicy,
    refund: boundedPolicy.omit({ schedule_to_close_ms: true }),
  }),
  chore_policy: boundedPolicy,
  grading: z.strictObject({
    page_size: z.int().positive(),
    window: z.int().positive(),
    pages_per_run: z.int().positive(),
    policies: z.strictObject({
      list: boundedPolicy,
      page: boundedPolicy.extend({ heartbeat_ms: milliseconds }),
      refresh: boundedPolicy,
    }),
  }),
  schedules: z
    .array(scheduleSchema)
    .refine(all => new Set(all.map(({ id }) => id)).size === all.length, 'two schedules have the same id'),
  embedded_server: z.strictObject({ own_model_queues: z.boolean(), flags: z.array(z.string()) }),
});

export type TemporalManifest = z.infer<typeof manifestSchema>;

/**
 * The project's description of its Temporal side.
 * @throws Error that names the file and every key that is unknown, missing or of the wrong kind.
 */
export function readTemporalManifest(path: string): TemporalManifest {
  const result = manifestSchema.safeParse(parse(readFileSync(path, 'utf8')));
  if (result.success) return result.data;
  throw new Error(`${path} is not valid:\n${z.prettifyError(result.error)}`);
}

/** On which task queue the calls to each member wait. */
export function modelQueues({
  model_calls,
}: Pick<TemporalManifest, 'model_calls'>): Readonly<Record<CouncilModel, string>> {
  const queueOf = (model: CouncilModel) => `${model_calls.queue_prefix}-${model}`;
  return { claude: queueOf('claude'), gpt: queueOf('gpt'), gemini: queueOf('gemini'), grok: queueOf('grok') };
}
