import { z } from 'zod';
import type { Citation } from '../../council/evidence/research.js';
import { utf16Offsets } from './text-offsets.js';

/** A page that a vendor cites, and where. */
export interface VendorCitation {
  readonly url: string;
  readonly title: string | null;
  /** UTF-16 code units of the whole text; null if the vendor states no place. */
  readonly range: Range | null;
}

/** [start, end). */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the `url_citation` annotations of one part of an answer. An annotation that names no page is skipped: one of
 * many must not cost the answer.
 *
 * Offsets are read as code points. OpenAI documents "characters" without a unit, xAI likewise, and both count in
 * languages whose strings consist of code points. Only text outside the Basic Multilingual Plane, such as emoji, tells
 * the units apart. xAI and OpenRouter send 0 to 0 for "no place".
 *
 * @param start where the part begins in the whole text
 */
export function readUrlCitations(
  annotations: readonly unknown[],
  part: string,
  start: number,
): readonly VendorCitation[] {
  const utf16 = utf16Offsets(part, 'code points');
  return annotations.flatMap(annotation => {
    const page = annotationShape.safeParse(annotation).data;
    if (page === undefined) return [];
    const [from, to] = [utf16(page.start_index), utf16(page.end_index)];
    const isPlace = from !== null && to !== null && from < to;
    const range = isPlace ? { start: start + from, end: start + to } : null;
    return [{ url: page.url, title: titleOf(page), range }];
  });
}

/** Outside every text. */
const nowhere = -1;

const annotationShape = z.object({
  url: z.string().min(1),
  title: z.string().nullable().catch(null).default(null),
  start_index: z.number().catch(nowhere),
  end_index: z.number().catch(nowhere),
});

/** xAI uses the number of the citation or the address as the title of some pages. */
function titleOf({ title, url }: { readonly title: string | null; readonly url: string }): string | null {
  return title === null || title === url || /^\s*\d*\s*$/.test(title) ? null : title;
}

/** A link in Markdown: `[label](url)` or, as xAI numbers its citations, `[[1]](url)`. */
export interface MarkdownLink extends Range {
  readonly url: string;
  readonly numbered: boolean;
}

/** Finds the links of a text. An address may contain balanced parentheses. */
export function markdownLinks(text: string): readonly MarkdownLink[] {
  return [...text.matchAll(linkPattern)].map(({ 0: link, 1: label = '', 2: url = '', index }) => ({
    start: index,
    end: index + link.length,
    url,
    numbered: /^\[\d+\]$/.test(label),
  }));
}

/** Each repetition begins with another character than the one before it can take, so that no text needs backtracking. */
const linkPattern = /\[(\[\d{1,4}\]|[^[\]\n]{0,300})\]\((https?:\/\/[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)/g;

/** A citation at a place that marks a statement, rather than being one. */
export function markerAt({ start, end }: Range, { url, title }: Omit<VendorCitation, 'range'>): Citation {
  return { start, end, marks: 'marker', url, title, pageAge: null };
}
