/**
 * A text of the market, of a model or of a source without the characters that nobody sees but a terminal, a page or a
 * model obeys: control characters, directions, zero-width characters, variation selectors, tags, fillers. Line feeds and
 * tabs stay, and other line ends become line feeds. Applied once where a text enters, before it is stored or named by a
 * hash, and again where it is printed.
 *
 * All letters stay. Joiners go: two names that differ in one only would look the same. Persian and Indic words stay
 * readable, an emoji becomes its parts or its form in one colour.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replace(unseen, '');
}

/** The same on one line: a title or a name. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/\s+/g, ' ').trim();
}

/** A value as JSON of several lines, in which the characters that {@link visibleText} removes are escapes. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(unseen, characters =>
    characters.replace(/[^]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Makes untrusted text safe to show in a prompt: removes control, zero-width and direction characters,
 * replaces runs of angle brackets that look like a fence (`prompts/prompt.ts`), and limits the text to
 * `maxChars` characters. Names of outcomes and sources are computed with it from what is stored, so stored reports
 * depend on what it removes.
 */
export function plainText(text: string, maxChars: number): string {
  const visible = text.replace(/\r\n?/g, '\n').replace(invisible, '').trim();
  const unfenced = visible.replace(/<{3,}/g, '‹‹‹').replace(/>{3,}/g, '›››');
  return unfenced.length <= maxChars ? unfenced : `${withoutLoneSurrogate(unfenced.slice(0, maxChars - 1))}…`;
}

// \p{Cc} control, \p{Cf} format (zero-width, bidi, tags), \p{Cs} lone surrogates. Line feed and tab stay.
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;

function withoutLoneSurrogate(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** Untrusted text on one line, so that it cannot imitate a line of the prompt. */
export function oneLine(text: string, maxChars: number): string {
  return plainText(text.replace(/\s+/g, ' '), maxChars);
}

/** Shortens each URL in a text to its host, so that no path leads to a page with prices. */
export function withHostsOnly(text: string): string {
  return text.replace(
    url,
    (_, withScheme: string | undefined, bare: string | undefined) => withScheme ?? bare ?? '',
  );
}

// The lengths are bounded, so that no text makes the search slow.
const url = new RegExp(
  [
    `\\bhttps?://(?:[^\\s/?#@<>"')]*@)?([^\\s/?#<>"'):,]+)(?::\\d+)?`,
    '\\b((?:[a-z\\d-]{1,63}\\.){1,8}[a-z]{2,24})(?=/)',
  ]
    // The rest of the URL, without the punctuation of the sentence.
    .map(host => `${host}(?:[^\\s<>"')]*[^\\s<>"'),.;:!?])?`)
    .join('|'),
  'gi',
);

/** Compares by code unit, so the order is the same in every locale. */
export function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** Limits of the texts in prompts and answers, in characters unless the name says otherwise. */
export const titleMaxChars = 300;
export const descriptionMaxChars = 8_000;
export const nameMaxChars = 300;
/** The rules of one market, and of all markets together, where each has rules of its own. */
export const marketRulesMaxChars = 2_000;
export const marketRulesTotalMaxChars = 16_000;
/** Names that are no outcomes: those decided already, or part of `Any other`. */
export const namesListMaxChars = 2_000;
export const rationaleShownChars = 4_000;
export const listItemShownChars = 600;
export const critiqueShownChars = 1_000;
export const rejectedAnswerShownChars = 4_000;

export const answerMaxChars = 100_000;
export const rationaleMaxChars = 8_000;
export const critiqueMaxChars = 4_000;
export const summaryMaxChars = 8_000;
export const marketGapMaxChars = 2_000;
/** The words that the two texts on a distance to the market are asked to have together, and those that are accepted. */
export const marketGapAskedWords = 150;
export const marketGapMaxWords = 200;
export const listItemMaxChars = 2_000;
export const listItemsMax = 30;
export const problemsMax = 10;
