import { z } from 'zod';
import type { Stage } from '../../council/deliberation/stages.js';
import { BadRequest, type CompletionRequest } from './dialects/dialect.js';

/** The required content of an answer, derived from the request's JSON schema. */
export interface Task {
  readonly stage: Stage;
  /** Empty for a synthesis, which has no probabilities. */
  readonly outcomes: readonly string[];
  /** Whether each outcome is a separate yes/no question, so that probabilities need not add up to 100. */
  readonly independent: boolean;
  /** The labels of the reviewed answers; empty except in the cross-review. */
  readonly labels: readonly string[];
}

/** @throws BadRequest if the schema is not one of the council's three. */
export function readTask({ schemaName, schema }: Pick<CompletionRequest, 'schemaName' | 'schema'>): Task {
  const fields = fieldsShape.safeParse(schema['properties']);
  if (!fields.success) throw new BadRequest('the schema is not one of the council’s');
  const { distribution, revised_distribution: revised, ranking } = fields.data;
  const stage = stageOf(schemaName, fields.data);
  const requested = stage === 'cross_review' ? revised : distribution;
  const task = {
    stage,
    outcomes: requested?.items.properties.outcome.enum ?? [],
    independent: /\bindependent\b/i.test(requested?.description ?? ''),
    labels: ranking?.items.enum ?? [],
  };
  if (stage !== 'synthesis' && task.outcomes.length === 0)
    throw new BadRequest('the schema lists no outcomes');
  return task;
}

const distributionShape = z.object({
  description: z.string().optional(),
  items: z.object({ properties: z.object({ outcome: z.object({ enum: z.array(z.string()) }) }) }),
});

const fieldsShape = z.object({
  distribution: distributionShape.optional(),
  revised_distribution: distributionShape.optional(),
  ranking: z.object({ items: z.object({ enum: z.array(z.string()) }) }).optional(),
  summary: z.unknown().optional(),
  agreements: z.unknown().optional(),
});

const stageBySchema: ReadonlyMap<string, Stage> = new Map([
  ['opinion', 'opinions'],
  ['cross_review', 'cross_review'],
  ['synthesis', 'synthesis'],
]);

function stageOf(schemaName: string | null, fields: z.infer<typeof fieldsShape>): Stage {
  const named = stageBySchema.get(schemaName ?? '');
  if (named !== undefined) return named;
  if (fields.ranking !== undefined) return 'cross_review';
  return fields.summary !== undefined && fields.agreements !== undefined ? 'synthesis' : 'opinions';
}

/**
 * The part of a prompt that describes the event, the same at every stage, so that a member's review
 * starts from its opinion: the first fenced text (`council/prompts/prompt.ts`). Without a fence, the
 * whole prompt.
 */
export function readEventText(user: string): string {
  const fenced = /<<<BEGIN ([^>]*)>>>\n([\s\S]*?)\n<<<END \1>>>/.exec(user);
  return (fenced?.[2] ?? user).replace(/\s+/g, ' ').trim();
}
