import { z } from 'zod';
import type { OutcomeProbability } from '../council/deliberation/stages.js';

/** A fenced text of a prompt (`council/prompts/prompt.ts`). */
interface FencedText {
  /** The name, without the mark. */
  readonly name: string;
  readonly text: string;
}

/** The fenced texts of a prompt in their order. Both ends of a fence carry the same mark, or none. */
export function fencedTexts(user: string): FencedText[] {
  return [...user.matchAll(fence)].map(([, name = '', , text = '']) => ({ name, text }));
}

/** The first fenced text of this name; empty if the prompt has none. */
export function fencedText(user: string, wanted: string): string {
  return fencedTexts(user).find(({ name }) => name === wanted)?.text ?? '';
}

const fence = /<<<BEGIN ([^>]*?)( [0-9a-f]{8})?>>>\n([\s\S]*?)\n<<<END \1\2>>>/g;

/** A source that an opinion may cite. */
export interface ShownSource {
  readonly id: string;
  readonly text: string;
}

/** Reads the sources that a prompt shows, one a line (`council/prompts/sources.ts`). Empty if it shows none. */
export function readSources(user: string): ShownSource[] {
  return [...fencedText(user, 'SOURCES').matchAll(sourceLine)].map(([, id = '', text = '']) => ({
    id,
    text,
  }));
}

/** `S3 · news.example.org · 2026-11-20 · "Title": text`; without a title if the page has none. */
const sourceLine = /^(S\d+) · [^·\n]* · (?:\d{4}-\d\d-\d\d|undated)(?: · "(?:[^"\\\n]|\\.)*")?: (.*)$/gm;

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

/** A possible change of a forecast, as a prompt shows it (`council/prompts/anonymous-opinion.ts`). */
export interface ShownChange {
  /** `A1` is the first of answer A. */
  readonly id: string;
  readonly by: string;
  readonly text: string;
}

/** `- A1, by 2031-05-01, "Yes" 35 %: The text.` */
export function readChanges(user: string): ShownChange[] {
  const lines = fencedTexts(user)
    .filter(({ name }) => /^ANSWER [A-Z]$/.test(name))
    .flatMap(({ text }) => [...text.matchAll(changeLine)]);
  return lines.map(([, id = '', by = '', text = '']) => ({ id, by, text }));
}

const changeLine = /^- ([A-Z]\d), by (\d{4}-\d\d-\d\d), "(?:[^"\\]|\\.)*" \d+(?:\.\d+)? %: (.*)$/gm;

/** `- "Exact name": 62 %`; the name is a JSON string. */
const probabilityLine = /^- ("(?:[^"\\]|\\.)*"): (\d+(?:\.\d+)?) %$/gm;

const outcomeName = z
  .string()
  .transform(text => JSON.parse(text))
  .pipe(z.string());
