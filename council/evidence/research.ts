import { visibleText } from '../text.js';

/**
 * What one member's search returned, as its adapter read it: untrusted text. It is stored without the characters that
 * nobody sees ({@link visibleResearch}), so that the evidence can be assembled from it again.
 */
export interface Research {
  /** The member's own prose, with the vendor's citation markers in it. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** Searches that the vendor made, and bills. */
  readonly searches: number;
  /** ISO 8601, UTC: when the answer arrived. */
  readonly retrievedAt: string;
}

/** One passage of the text and a page that the vendor cites for it. */
export interface Citation {
  /** [start, end) in UTF-16 code units of the text. */
  readonly start: number;
  readonly end: number;
  /** Whether the range is the cited statement itself, or a marker inside or right behind the statement. */
  readonly marks: 'statement' | 'marker';
  /** As the vendor sent it: it may be a redirect, name its finder or hold user information. */
  readonly url: string;
  readonly title: string | null;
  /** The page's date in the vendor's own words, such as `November 20, 2026`. */
  readonly pageAge: string | null;
}

/** The same without the characters that nobody sees. Each citation marks the same passage as before. */
export function visibleResearch(found: Research): Research {
  const parts = Array.from(found.text, character => ({ character, shown: visibleText(character) }));
  const positions: number[] = [];
  let end = 0;
  for (const { character, shown } of parts) {
    positions.push(...Array<number>(character.length).fill(end));
    end += shown.length;
  }
  const citations = found.citations.map(citation => ({
    ...citation,
    start: positions[citation.start] ?? end,
    end: positions[citation.end] ?? end,
    title: citation.title && visibleText(citation.title),
    pageAge: citation.pageAge && visibleText(citation.pageAge),
  }));
  return { ...found, text: parts.map(({ shown }) => shown).join(''), citations };
}
