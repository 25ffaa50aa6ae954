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
