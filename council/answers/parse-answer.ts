import type { z } from 'zod';
import { answerMaxChars, problemsMax } from '../text.js';

/**
 * Reads an answer as JSON of a known shape. Problems name our own fields and rules, never the model's words.
 * Fields we did not ask for are dropped: they can reach nothing.
 */
export function parseAnswer<T>(text: string, shape: z.ZodType<T>): Parsed<T> {
  const json = extractJson(text);
  if (!json.ok) return json;
  const parsed = shape.safeParse(json.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problems: parsed.error.issues.slice(0, problemsMax).map(problem) };
}

function problem(issue: z.core.$ZodIssue): string {
  const field = issue.path
    .map(step => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  return `${field.replace(/^\./, '') || 'the answer'}: ${complaint(issue)}`;
}

function complaint(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be of type ${issue.expected}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unit(issue.origin)}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unit(issue.origin)}`;
  // What is left are our own refinements, which bring their own words.
  return issue.message;
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

/**
 * Reads an answer as JSON: the whole text, or the whole of one code fence. Prose around it is a problem to be
 * repaired, not to be guessed around: a brace in prose may open anything.
 */
export function extractJson(text: string): Parsed<unknown> {
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

function failed(problem: string): Parsed<never> {
  return { ok: false, problems: [problem] };
}

/** A model's answer read: usable, or what is wrong with it in our own short words, fit for a repair prompt. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly string[] };
