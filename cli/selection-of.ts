import { graderVersion } from '../council/grade.js';
import type { GradingSelection } from '../council/grading.js';
import { exitCodes } from './exit-codes.js';
import { Failure } from './failure.js';

/**
 * Which reports an operator's options name; none of them means what is due.
 * @throws Failure when there is no such date
 */
export function selectionOf({
  event,
  since,
  all,
}: {
  event?: string;
  since?: string;
  all?: boolean;
}): GradingSelection {
  if (event !== undefined) return { kind: 'event', eventId: event };
  if (since !== undefined) return { kind: 'since', date: day(since) };
  return all === true ? { kind: 'all', grader: graderVersion } : { kind: 'due' };
}

function day(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new Failure(`--since: ${text} is no date; write YYYY-MM-DD.`, {
    next: 'Add --help to see how it is used.',
    exitCode: exitCodes.usage,
  });
}
