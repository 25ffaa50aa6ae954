import type { z } from 'zod';
import type { Stage } from '../council/deliberation.js';

/** Milliseconds that each stage may take, all attempts of all its models included. */
export type StageDeadlines = Readonly<Record<Stage, number>>;

/** Together they keep a report within 120 s, whatever happens. */
const defaultDeadlines: StageDeadlines = { opinions: 45_000, cross_review: 40_000, synthesis: 30_000 };

/** Parses `opinions,cross_review,synthesis`. */
export function parseStageDeadlines(value: string | undefined, context: z.RefinementCtx): StageDeadlines {
  if (value === undefined) return defaultDeadlines;
  const [opinions, review, synthesis, ...rest] = value.split(',').map(part => Number(part.trim()));
  if (isDeadline(opinions) && isDeadline(review) && isDeadline(synthesis) && rest.length === 0) {
    return { opinions, cross_review: review, synthesis };
  }
  context.addIssue({
    code: 'custom',
    message: 'must be three whole numbers of milliseconds, at least 100 each',
  });
  return defaultDeadlines;
}

function isDeadline(value: number | undefined): value is number {
  return Number.isInteger(value) && value !== undefined && value >= 100;
}
