import { z } from 'zod';
import { listPart } from './answer-parts-schema.js';
import type { Synthesis } from './deliberation.js';
import { parseAnswer } from './parse-answer.js';
import type { Parsed } from './parsed.js';
import { summaryMaxChars } from './text-limits.js';

/** Reads a stage 3 answer (`contract` §8): words alone. A number that a chairman adds is dropped unread. */
export function parseSynthesis(text: string): Parsed<Synthesis> {
  const answer = parseAnswer(text, synthesisShape);
  if (!answer.ok) return answer;
  const { key_uncertainties: keyUncertainties, ...words } = answer.value;
  return { ok: true, value: { ...words, keyUncertainties } };
}

const synthesisShape = z.object({
  summary: z.string().trim().min(1).max(summaryMaxChars),
  agreements: listPart,
  disagreements: listPart,
  key_uncertainties: listPart,
});
