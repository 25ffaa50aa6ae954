import type { z } from 'zod';
import { answerMaxChars, problemsMax } from '../text.js';

/**
 * A parsed answer, or its problems in short sentences that a repair prompt can quote. The flaws of an answer are
 * problems worth asking again about, but with which it can be used.
 */
export type ParsedAnswer<T> =
  | { readonly ok: true; readonly value: T; readonly flaws?: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Parses an answer as JSON of a known shape. Problems name fields and rules of the schema and never quote the
 * model. Fields that are not part of the schema are dropped.
 */
export function parseAnswer<T>(text: string, shape: z.ZodType<T>): ParsedAnswer<T> {
  const json = extractJson(text);
  if (!json.ok) return json;
  const parsed = shape.safeParse(json.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problems: problemsIn(parsed.error) };
}

/** What is wrong with a value, in sentences that name its fields. @param field where the value stands; empty for a whole answer */
export function problemsIn({ issues }: z.ZodError, field = ''): string[] {
  return issues.slice(0, problemsMax).map(issue => {
    const path = issue.path
      .map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
      .join('');
    return `${`${field}${path}`.replace(/^\./, '') || 'the answer'}: ${messageOf(issue)}`;
  });
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unit(issue.origin)}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit(issue.origin)}`;
  // All other issues come from refinements, which have their own messages.
  return issue.message;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

/**
 * Parses an answer as JSON: the whole text, or the whole content of one code fence. Prose around the JSON is
 * a problem to repair; searching it for braces would be guesswork.
 */
export function extractJson(text: string): ParsedAnswer<unknown> {
  const trimmed = text.trim();
  if (trimmed === '') return failed('the answer is empty');
  if (trimmed.length > answerMaxChars)
    return failed(`the answer is longer than ${answerMaxChars} characters`);
  const fenced = codeFence.exec(trimmed);
  try {
    const value: unknown = JSON.parse(fenced?.[1] ?? trimmed);
    return { ok: true, value };
  } catch {
    return failed('the answer is not one complete JSON object and nothing else');
  }
}

const codeFence = /^```(?:json)?[ \t]*\n([\s\S]*)\n[ \t]*```$/i;

function failed(problem: string): ParsedAnswer<never> {
  return { ok: false, problems: [problem] };
}
