/**
 * Untrusted text made harmless to show in a prompt: no control, zero-width or direction characters, no run of
 * angle brackets that could close a fence (see `fence.ts`), and no more than `maxChars` characters.
 */
export function plainText(text: string, maxChars: number): string {
  const visible = text.replace(/\r\n?/g, '\n').replace(unseen, '').trim();
  const unfenced = visible.replace(/<{3,}/g, '‹‹‹').replace(/>{3,}/g, '›››');
  return unfenced.length <= maxChars ? unfenced : `${withoutHalfPair(unfenced.slice(0, maxChars - 1))}…`;
}

// \p{Cc} control, \p{Cf} format (zero-width, bidi, tags), \p{Cs} halves of a pair; line feed and tab stay.
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/gu;

function withoutHalfPair(text: string): string {
  return text.replace(/[\uD800-\uDBFF]$/, '');
}

/** Untrusted text as one line: a name that could not be told from the prompt's own lines otherwise. */
export function oneLine(text: string, maxChars: number): string {
  return plainText(text.replace(/\s+/g, ' '), maxChars);
}

/** Order by code unit: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** How long the texts are that a prompt shows or an answer may hold, in characters unless named otherwise. */

export const titleMaxChars = 300;
export const descriptionMaxChars = 8_000;
export const nameMaxChars = 300;
export const rationaleShownChars = 4_000;
export const listItemShownChars = 600;
export const critiqueShownChars = 1_000;
export const rejectedAnswerShownChars = 4_000;

export const answerMaxChars = 100_000;
export const rationaleMaxChars = 8_000;
export const critiqueMaxChars = 4_000;
export const summaryMaxChars = 8_000;
export const listItemMaxChars = 2_000;
export const listItemsMax = 30;
export const problemsMax = 10;
