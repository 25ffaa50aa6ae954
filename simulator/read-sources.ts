import { fencedText } from './read-fences.js';

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
