import { z } from 'zod';
import { listItemMaxChars, listItemsMax, problemsMax, visibleLine, visibleText } from '../text.js';
import { problemsIn } from './parse-answer.js';

/** The parts that answers of several stages are made of. */

/** A JSON number. A quoted number is rejected, not converted. */
export const percentPart = z.number().min(0).max(100);

/** A text of one line, which cannot imitate a line of the report. */
export const itemPart = z.string().transform(visibleLine).pipe(z.string().min(1).max(listItemMaxChars));

export const longPart = (maxChars: number) =>
  z
    .string()
    .transform(text => visibleText(text).trim())
    .pipe(z.string().min(1).max(maxChars));

export const listPart = z.array(itemPart).max(listItemsMax);

/** Ids or letters that the prompt has shown, without repeats. The parser knows which. */
export const idsPart = z
  .array(z.string().trim())
  .max(listItemsMax)
  .transform(ids => [...new Set(ids)]);

/** `YYYY-MM-DD` */
export const datePart = z
  .string()
  .trim()
  .pipe(z.iso.date({ error: 'must be a date such as 2031-04-30' }));

/** What is wrong with a date in an answer. @param today `YYYY-MM-DD`, UTC */
export function pastProblem(by: string, today: string): string | null {
  return by < today ? 'by must not be in the past' : null;
}

/** A part of an answer that costs nothing but itself: null if it is invalid, with what is wrong. */
export interface Read<T> {
  readonly value: T | null;
  readonly problems: readonly string[];
}

/** What is wrong with a value of the right shape, by what was shown with the question; null if nothing is. */
export type PartCheck<T> = (value: T) => string | null;

/**
 * Reads a part. Its shape knows nothing of the question: to build a shape costs more than to parse a hundred values with it.
 */
export function readAs<T>(field: string, value: unknown, shape: z.ZodType<T>, check?: PartCheck<T>): Read<T> {
  const parsed = shape.safeParse(value);
  if (!parsed.success) return { value: null, problems: problemsIn(parsed.error, field) };
  const problem = check?.(parsed.data) ?? null;
  return problem === null
    ? { value: parsed.data, problems: [] }
    : { value: null, problems: [`${field}: ${problem}`] };
}

/**
 * Reads a list entry by entry, so that an invalid one does not take the others with it. Of too many, the first valid ones
 * count.
 */
export function readEach<T>(shape: z.ZodType<T>, max: number, check: PartCheck<T>) {
  return (value: unknown, field: string): Read<T[]> => {
    const list = readAs(field, value, listShape);
    if (list.value === null) return { value: null, problems: list.problems };
    const entries = list.value.map((entry, index) => readAs(`${field}[${index}]`, entry, shape, check));
    const tooMany = entries.length > max ? [`${field}: must be at most ${max} entries long`] : [];
    return {
      value: entries.flatMap(entry => entry.value ?? []).slice(0, max),
      problems: [...tooMany, ...entries.flatMap(entry => entry.problems)].slice(0, problemsMax),
    };
  };
}

const listShape = z.array(z.unknown());
