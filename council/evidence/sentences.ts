/** A range of a text, [start, end) in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The sentences of a text in order, without the space around them. A line break always ends a sentence, so headings and
 * list items stand alone. In doubt two sentences stay together. Linear in the length of the text.
 */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const found of text.matchAll(boundary)) {
    const end = found.index + found[0].length;
    if (!isBoundary(text, found.index, end)) continue;
    spans.push({ start, end });
    start = end;
  }
  spans.push({ start, end: text.length });
  return spans.map(span => trimmed(text, span)).filter(({ start, end }) => start < end);
}

/** Line breaks, full stops of scripts without spaces, and others before a space, with what closes the sentence. */
const boundary = /\n|[。！？｡।۔؟]["'”’」』）)\]*_]{0,4}|[.!?…]{1,8}["'”’»)\]*_]{0,4}(?=\s)/gu;

function isBoundary(text: string, dot: number, end: number): boolean {
  if (text[dot] !== '.') return true;
  const before = text.slice(Math.max(0, dot - wordMaxChars), dot);
  const after = text.slice(end, end + wordMaxChars).trimStart();
  if (/^\p{Ll}/u.test(after)) return false;
  if (/(?:^|[^\p{L}\p{N}])(?:\p{Lu}|\p{L}\.\p{L})$/u.test(before)) return false;
  if (/\d$/.test(before) && monthStart.test(after)) return false;
  return !abbreviation.test(before);
}

const wordMaxChars = 24;

/** `24. November`: the number is an ordinal. */
const monthStart = /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/;

const abbreviation =
  /(?:^|[^\p{L}])(?:Mr|Mrs|Ms|Dr|Prof|Sen|Rep|Gov|Gen|St|Jr|Sr|No|Nr|Art|vs|v|approx|ca|bzw|Inc|Ltd|Corp|Co|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec|Dez|Sra?|Dra?|Ud|M|Mme|al)$/u;

function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && isSpace(text, from)) from += 1;
  while (to > from && isSpace(text, to - 1)) to -= 1;
  return { start: from, end: to };
}

function isSpace(text: string, index: number): boolean {
  return /\s/.test(text.charAt(index));
}
