import { z } from 'zod';
import type { QuestionStage } from '../council/deliberation/stages.js';
import type { Ladder } from '../council/market/ladders.js';
import { BadRequest, type CompletionRequest } from './dialects/dialect.js';
import {
  fencedText,
  fencedTexts,
  readAnswers,
  readChanges,
  readSources,
  type ShownAnswers,
  type ShownChange,
  type ShownSource,
} from './read-fences.js';

/** The required content of an answer, derived from the request's JSON schema. */
export interface Task {
  readonly stage: QuestionStage;
  /** The outcomes that the prompt names. Empty where no probability is asked for. */
  readonly outcomes: readonly OfferedOutcome[];
  /** Indices of outcomes along which the probabilities must not increase. */
  readonly ladders: readonly Ladder[];
  /** Whether each outcome is a separate yes/no question, so that probabilities need not add up to 100. */
  readonly independent: boolean;
  /** The labels of the reviewed answers; empty except in the cross-review. */
  readonly labels: readonly string[];
  readonly answers: ShownAnswers;
  /** What an opinion may cite; empty at the other stages. */
  readonly sources: readonly ShownSource[];
  /** What the answers say would change them; empty except at the synthesis. */
  readonly changes: readonly ShownChange[];
  /** `YYYY-MM-DD`; null if the prompt has none. */
  readonly today: string | null;
}

interface OfferedOutcome {
  readonly label: string;
  readonly name: string;
}

/** @throws BadRequest if the schema is not one of the council's four, or the prompt offers no outcomes. */
export function readTask({
  schemaName,
  schema,
  user,
}: Pick<CompletionRequest, 'schemaName' | 'schema' | 'user'>): Task {
  const fields = fieldsShape.safeParse(schema['properties']);
  if (!fields.success) throw new BadRequest('the schema is not one of the council’s');
  const { distribution, revised_distribution: revised, ranking } = fields.data;
  const stage = stageOf(schemaName, fields.data);
  const isForecast = stage === 'opinions' || stage === 'cross_review';
  const requested = stage === 'cross_review' ? revised : distribution;
  const task = {
    stage,
    outcomes: isForecast ? readOutcomes(user) : [],
    ladders: isForecast ? readLadders(user) : [],
    independent: /\bindependent\b/i.test(requested?.description ?? ''),
    labels: ranking?.items.enum ?? [],
    answers: readAnswers(user),
    sources: stage === 'opinions' ? readSources(user) : [],
    changes: stage === 'synthesis' ? readChanges(user) : [],
    today: readToday(user),
  };
  if (isForecast && task.outcomes.length === 0) throw new BadRequest('the prompt offers no outcomes');
  return task;
}

const distributionShape = z.object({
  description: z.string().optional(),
});

const fieldsShape = z.object({
  distribution: distributionShape.optional(),
  revised_distribution: distributionShape.optional(),
  ranking: z.object({ items: z.object({ enum: z.array(z.string()) }) }).optional(),
  summary: z.unknown().optional(),
  agreements: z.unknown().optional(),
  market_may_know: z.unknown().optional(),
});

const stageBySchema: ReadonlyMap<string, QuestionStage> = new Map([
  ['opinion', 'opinions'],
  ['cross_review', 'cross_review'],
  ['synthesis', 'synthesis'],
  ['market_gap', 'market_gap'],
]);

function stageOf(schemaName: string | null, fields: z.infer<typeof fieldsShape>): QuestionStage {
  const named = stageBySchema.get(schemaName ?? '');
  if (named !== undefined) return named;
  if (fields.market_may_know !== undefined) return 'market_gap';
  if (fields.ranking !== undefined) return 'cross_review';
  return fields.summary !== undefined && fields.agreements !== undefined ? 'synthesis' : 'opinions';
}

/** The labelled outcomes of the brief (`council/prompts/event-brief.ts`). */
function readOutcomes(user: string): OfferedOutcome[] {
  const list = fencedText(user, 'OUTCOMES');
  return [...list.matchAll(/^- (O\d+) = ("(?:[^"\\]|\\.)*")/gm)].flatMap(([, label = '', name = '""']) => {
    const read = z.string().safeParse(JSON.parse(name));
    return read.success ? [{ label, name: read.data }] : [];
  });
}

/** The brief's lines about ladders: after its outcomes, and outside the fences. */
function readLadders(user: string): Ladder[] {
  const [, after = ''] = user.split(/\n<<<END OUTCOMES\b.*>>>\n/);
  return [...after.matchAll(/never increase from left to right: (O\d+(?:, O\d+)*)\./g)].map(
    ([, labels = '']) => labels.split(', ').map(label => Number(label.slice(1)) - 1),
  );
}

/**
 * The part of a prompt that describes the event, the same at every stage, so that a member's review
 * starts from its opinion: the first fenced text (`council/prompts/prompt.ts`). Without a fence, the
 * whole prompt.
 */
export function readEventText(user: string): string {
  return (fencedTexts(user)[0]?.text ?? user).replace(/\s+/g, ' ').trim();
}

/** The day of the forecast (`YYYY-MM-DD`), as the brief states it outside of the fences; null if the prompt has none. */
export function readToday(user: string): string | null {
  const [beforeEvent = ''] = user.split('<<<BEGIN ');
  return /\bIt is (\d{4}-\d\d-\d\d) \d\d:\d\d UTC\./.exec(beforeEvent)?.[1] ?? null;
}
