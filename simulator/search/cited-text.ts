import { parseUrl } from '../../council/parse-url.js';
import type { Findings, SimulatedPage } from './findings.js';

/** A vendor's way to cite in prose. */
export type CitationStyle = 'anthropic' | 'openai' | 'google' | 'xai' | 'openrouter';

/** Prose with its citations, before a vendor's format wraps them. */
export interface CitedText {
  readonly text: string;
  readonly citations: readonly CitedRange[];
}

export interface CitedRange {
  /** [start, end) in UTF-16 code units of the text. */
  readonly start: number;
  readonly end: number;
  /** The statement that the citation is for. */
  readonly statement: string;
  readonly page: SimulatedPage;
}

/** Whether the vendor's ranges cover the statements or the markers that follow them. */
export function marksOf(style: CitationStyle): 'statement' | 'marker' {
  return styles[style].marker === null ? 'statement' : 'marker';
}

/** Writes statements as prose in which the vendor's citations are where the vendor puts them. */
export function writeCitedText(
  style: CitationStyle,
  { prose, statements }: Pick<Findings, 'prose' | 'statements'>,
): CitedText {
  const { bullet, marker, separator } = styles[style];
  const citations: CitedRange[] = [];
  let text = prose;
  for (const { text: statement, page } of statements) {
    text += `${text === '' ? '' : separator}${bullet}`;
    const start = text.length;
    text += statement;
    if (page === null) continue;
    const markerStart = text.length;
    text += marker?.(page, citations.length + 1) ?? '';
    // A marker's range is that of the marker without the space in front of it.
    const from = marker === null ? start : markerStart + text.slice(markerStart).search(/\S|$/);
    citations.push({ start: from, end: text.length, statement, page });
  }
  return { text, citations };
}

interface Style {
  readonly bullet: string;
  readonly separator: string;
  /** Null if the vendor writes no marker into the text. */
  readonly marker: ((page: SimulatedPage, ordinal: number) => string) | null;
}

const styles: Readonly<Record<CitationStyle, Style>> = {
  anthropic: { bullet: '', separator: '\n\n', marker: null },
  google: { bullet: '* ', separator: '\n', marker: null },
  openai: {
    bullet: '- ',
    separator: '\n',
    marker: page => ` ([${hostOf(page)}](${page.url ?? ''}))`,
  },
  xai: { bullet: '', separator: ' ', marker: (page, ordinal) => `[[${ordinal}]](${page.url ?? ''})` },
  openrouter: { bullet: '', separator: '\n\n', marker: page => ` [${hostOf(page)}](${page.url ?? ''})` },
};

/** Empty for an address that is none. */
export function hostOf({ url }: SimulatedPage): string {
  return url === null ? '' : (parseUrl(url)?.host ?? '');
}

/**
 * Offsets as OpenAI, xAI and OpenRouter count them: a character outside the Basic Multilingual Plane is one, not two as
 * in JavaScript.
 */
export function charactersIn(text: string): number {
  return Array.from(text).length;
}
