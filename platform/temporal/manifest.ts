import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Venue } from '../../council/event.js';
import type { CouncilModel } from '../../council/models.js';

const milliseconds = z.int().positive();

/** The duties of `workflows/maintenance.ts`; a test compares the two. */
const maintenanceDuties = [
  'send-usage',
  'compare-usage',
  'fulfil-checkouts',
  'release-stranded-runs',
  'check-ledger',
  'expire-grants',
  'prune',
  'stamp-record',
  'fill-kalshi-index',
  'regrade-due',
  'refit-weights',
] as const;

/** Temporal puts a dot or a colon between this name and the build id. */
export const deploymentNameShape = z.string().regex(/^[^.:]+$/, 'must hold no dot and no colon');

const manifestSchema = z.strictObject({
  namespace: z.string().min(1),
  retention_days: z.int().positive(),
  search_attributes: z.record(z.string(), z.enum(['Keyword', 'Int', 'Bool'])),
  task_queue: z.string().min(1),
  versioning: z.strictObject({
    deployment_name: deploymentNameShape,
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
    per_second: z.strictObject({
      claude: z.number().positive(),
      gpt: z.number().positive(),
      gemini: z.number().positive(),
      grok: z.number().positive(),
    }),
  }),
  webhooks: z.strictObject({
    task_queue: z.string().min(1),
    slots: z.int().positive(),
  }),
  grading: z.strictObject({
    page_size: z.int().positive(),
    window: z.int().positive(),
    pages_per_run: z.int().positive(),
  }),
  /** A duty that is not named does not run. */
  maintenance_every_seconds: z.partialRecord(z.enum(maintenanceDuties), z.int().positive()),
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

/** Without the duties that none of these venues needs. */
export function manifestFor(venues: readonly Venue[], manifest: TemporalManifest): TemporalManifest {
  const { 'fill-kalshi-index': _, ...others } = manifest.maintenance_every_seconds;
  return venues.includes('kalshi') ? manifest : { ...manifest, maintenance_every_seconds: others };
}

/** The task queue for the calls to each model. */
export function modelQueues({
  model_calls,
}: Pick<TemporalManifest, 'model_calls'>): Readonly<Record<CouncilModel, string>> {
  const queueOf = (model: CouncilModel) => `${model_calls.queue_prefix}-${model}`;
  return { claude: queueOf('claude'), gpt: queueOf('gpt'), gemini: queueOf('gemini'), grok: queueOf('grok') };
}
