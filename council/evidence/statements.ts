import { at } from '../numbers.js';
import { answerMaxChars } from '../text.js';
import { oddsAmong } from './quotes-odds.js';
import type { Citation, Research } from './research.js';
import { type Span, sentencesOf } from './sentences.js';
import { type StrippedText, stripMarkers } from './strip-markers.js';

/** A statement of a member's search and the pages that the vendor cites for it, in the order of the citations. */
export interface Statement {
  /** The sentence, without citation markers and markup. */
  readonly text: string;
  readonly citations: readonly Citation[];
  /** Whether it, or the sentence that it is part of, states a market's view. */
  readonly quotesOdds: boolean;
}

/** What a search says that it did not find, without the words that say so. */
export type NotFoundStatement = Pick<Statement, 'text' | 'quotesOdds'>;

/** What one search said, each in order. */
export interface SearchStatements {
  readonly statements: readonly Statement[];
  readonly notFound: readonly NotFoundStatement[];
}

/**
 * The statements of a research answer. Headings and lines that only introduce a list are none. Their number is
 * bounded by the length of the text and the number of citations: citations that all cover the whole text would
 * otherwise repeat each sentence for each page.
 *
 * A sentence that says what was not found is no statement, whatever is cited for it: a part of it would say the opposite.
 */
export function statementsOf(research: Research): SearchStatements {
  const stripped = stripMarkers(research.text.slice(0, answerMaxChars));
  const spans = sentencesOf(stripped.text);
  const sentences = spans.map(span => stripped.text.slice(span.start, span.end));
  const odds = oddsAmong(sentences);
  const citations = research.citations.slice(0, citationsMax).filter(each => isInside(each, research.text));
  const marked = markersBySentence(
    citations.filter(({ marks }) => marks === 'marker'),
    stripped,
    spans,
  );
  const ranges = joined(
    citations.filter(({ marks }) => marks === 'statement'),
    stripped,
  );

  const isNotFound = notFoundAmong(sentences);
  const isInNotFound = overlapping(spans.filter((_, index) => isNotFound[index] === true));
  const isCovered = overlapping(ranges.map(range => range.span));
  const isInOdds = overlapping(spans.filter((_, index) => odds[index] === true));

  const whole = spans.flatMap((span, index): PlacedStatement[] => {
    const text = sentences[index] ?? '';
    if (isNotFound[index] === true) return [];
    const cited = marked.get(index) ?? [];
    const isCitedInParts = isCovered(span);
    if (cited.length === 0 && (isCitedInParts || !isStatement(text))) return [];
    return [{ start: span.start, text, citations: cited, quotesOdds: odds[index] === true }];
  });
  const parts = ranges
    .flatMap(range => partsOf(range, stripped.text, isInOdds))
    .filter(({ start, text }) => !isInNotFound({ start, end: start + text.length }));
  const notFound = sentences
    .map((text, index) => ({ text: withoutLabel(text), quotesOdds: odds[index] === true }))
    .filter((each, index) => isNotFound[index] === true && hasWords(each));
  return {
    statements: [...whole, ...parts]
      .sort((a, b) => a.start - b.start)
      .map(({ text, citations, quotesOdds }) => ({ text: plainSentence(text), citations, quotesOdds }))
      .filter(hasWords),
    notFound,
  };
}

function hasWords({ text }: Pick<Statement, 'text'>): boolean {
  return /\p{L}.*\p{L}/u.test(text);
}

/** As the prompt of the search asks for it (`prompts/research-prompt.ts`). */
const notFoundLabel = /^not found ?[:：] ?/i;

function withoutLabel(sentence: string): string {
  return plainSentence(sentence).replace(notFoundLabel, '');
}

/** Which of the consecutive sentences say what was not found: those with the label, and a list below one alone. */
function notFoundAmong(sentences: readonly string[]): boolean[] {
  let isBelowLabel = false;
  return sentences.map(sentence => {
    const isLabelled = notFoundLabel.test(plainSentence(sentence));
    const isItem = isBelowLabel && /^[-*•·]\s/.test(sentence);
    isBelowLabel = isLabelled ? !hasWords({ text: withoutLabel(sentence) }) : isItem;
    return isLabelled || isItem;
  });
}

/** The number is above the pages that any search reads. */
const citationsMax = 400;
/** A page is cited for a passage. This much of a longer range counts. */
const citedMaxChars = 2_000;

interface PlacedStatement extends Statement {
  readonly start: number;
}

/** A cited range, a sentence each: one can quote odds while its neighbour does not. */
function partsOf(
  { span, citations }: CitedRange,
  text: string,
  isInOdds: (span: Span) => boolean,
): PlacedStatement[] {
  return sentencesOf(text.slice(span.start, span.end)).map(part => {
    const placed = { start: span.start + part.start, end: span.start + part.end };
    const statement = text.slice(placed.start, placed.end);
    return { start: placed.start, text: statement, citations, quotesOdds: isInOdds(placed) };
  });
}

function isInside({ start, end }: Citation, text: string): boolean {
  return (
    Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && start < text.length
  );
}

/** Whether a span overlaps one of these, which are in the order of their starts: a search by halves. */
function overlapping(spans: readonly Span[]): (span: Span) => boolean {
  let furthest = 0;
  const ends = spans.map(({ end }) => {
    furthest = Math.max(furthest, end);
    return furthest;
  });
  return ({ start, end }) => {
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(spans, middle).start < end) low = middle + 1;
      else high = middle;
    }
    return low > 0 && at(ends, low - 1) > start;
  };
}

/**
 * A marker belongs to the sentence that it stands in or behind; at the beginning of a line, to the one that follows.
 */
function markersBySentence(
  markers: readonly Citation[],
  stripped: StrippedText,
  spans: readonly Span[],
): Map<number, Citation[]> {
  const bySentence = new Map<number, Citation[]>();
  for (const marker of markers) {
    const position = stripped.positionOf(marker.start);
    const index = sentenceAt(position, spans, stripped.text);
    if (index !== null) bySentence.set(index, [...(bySentence.get(index) ?? []), marker]);
  }
  return bySentence;
}

function sentenceAt(position: number, spans: readonly Span[], text: string): number | null {
  const before = spans.findLastIndex(span => span.start < position);
  const next = spans[before + 1];
  const lineStart = text.lastIndexOf('\n', position - 1) + 1;
  const opensLine = text.slice(lineStart, position).trim() === '' && lineStart > (spans[before]?.start ?? -1);
  const lineHasText = next !== undefined && !text.slice(position, next.start).includes('\n');
  if (opensLine && lineHasText) return before + 1;
  return before === -1 ? null : before;
}

interface CitedRange {
  readonly span: Span;
  readonly citations: readonly Citation[];
}

/** Ranges in the stripped text. Blocks of the same pages with nothing between them are one statement. */
function joined(citations: readonly Citation[], stripped: StrippedText): CitedRange[] {
  const byRange = new Map<string, CitedRange>();
  for (const citation of citations) {
    const start = stripped.positionOf(citation.start);
    const span = { start, end: Math.min(stripped.positionOf(citation.end), start + citedMaxChars) };
    const key = `${span.start}-${span.end}`;
    byRange.set(key, { span, citations: [...(byRange.get(key)?.citations ?? []), citation] });
  }
  const ranges: CitedRange[] = [];
  for (const range of [...byRange.values()].sort((a, b) => a.span.start - b.span.start)) {
    const last = ranges.at(-1);
    const between = last === undefined ? '' : stripped.text.slice(last.span.end, range.span.start);
    if (last !== undefined && between.trim() === '' && !between.includes('\n') && samePages(last, range)) {
      ranges[ranges.length - 1] = { ...last, span: { start: last.span.start, end: range.span.end } };
    } else {
      ranges.push(range);
    }
  }
  return ranges;
}

function samePages(a: CitedRange, b: CitedRange): boolean {
  const pages = ({ citations }: CitedRange) => citations.map(({ url }) => url).join('\n');
  return pages(a) === pages(b);
}

/** False for a heading, a rule, or a line such as `Here is what I found:`. */
function isStatement(sentence: string): boolean {
  return !/^(?:#{1,6}\s|\*\*[^*]{1,200}\*\*:?$|[-*_=\s]+$)|[:：]$/.test(sentence);
}

/**
 * Removes the markup of lists, emphasis and headings, and the punctuation that a cut leaves at its beginning.
 */
function plainSentence(text: string): string {
  return (
    text
      .replace(/^(?:[-*•·]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|>\s*|[,;:.)\]]\s*)+/, '')
      .replace(/\*{1,3}|_{2}|`/g, '')
      .replace(/\s+/g, ' ')
      // A marker stood before the full stop.
      .replace(/ (?=[.,](?: |$))/g, '')
      .trim()
  );
}
