import { z } from 'zod';
import type { OutcomeProbability } from '../council/deliberation/stages.js';
import { fencedTexts } from './read-fences.js';

/** The first answers that a cross-review prompt shows. */
export interface ShownAnswers {
  /** The reviewer's own; null if the prompt shows none. */
  readonly own: readonly OutcomeProbability[] | null;
  readonly others: readonly (readonly OutcomeProbability[])[];
}

/** Reads whose probabilities are whose from the names of the fences (`council/prompts/anonymous-opinion.ts`). */
export function readAnswers(user: string): ShownAnswers {
  const fenced = fencedTexts(user).map(({ name, text }) => ({
    name,
    distribution: [...text.matchAll(probabilityLine)].flatMap(([, outcome = '', percent]) => {
      const name = outcomeName.safeParse(outcome);
      return name.success ? [{ outcome: name.data, probability: Number(percent) }] : [];
    }),
  }));
  return {
    own: fenced.find(({ name }) => name === 'YOUR FIRST ANSWER')?.distribution ?? null,
    others: fenced.filter(({ name }) => /^ANSWER [A-Z]$/.test(name)).map(({ distribution }) => distribution),
  };
}

/** `- "Exact name": 62 %`; the name is a JSON string. */
const probabilityLine = /^- ("(?:[^"\\]|\\.)*"): (\d+(?:\.\d+)?) %$/gm;

const outcomeName = z
  .string()
  .transform(text => JSON.parse(text))
  .pipe(z.string());
