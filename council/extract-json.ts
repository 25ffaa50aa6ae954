import type { Parsed } from './parsed.js';
import { answerMaxChars } from './text-limits.js';

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
