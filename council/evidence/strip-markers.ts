/** A text without its citation markers, and where each position of the original is in it. */
export interface StrippedText {
  readonly text: string;
  /** Translates an index into the original text into one into `text`; what was removed is where it stood. */
  readonly positionOf: (index: number) => number;
}

/**
 * Removes the vendors' citation markers: links with a host or number as their text, references such as `[[1]](url)`,
 * `[2]` and `【4:0†source】`, sequences in private-use characters such as `turn1search0`, and bare addresses. Of other
 * links the text stays. Linear in the length of the text.
 */
export function stripMarkers(text: string): StrippedText {
  const cuts: { readonly start: number; readonly end: number }[] = [];
  for (const found of text.matchAll(marker)) {
    const start = found.index;
    const end = start + found[0].length;
    const label = found.groups?.['label'];
    if (label === undefined || isReference(label)) {
      cuts.push({ start, end });
    } else {
      const bracket = start + found[0].indexOf('[');
      const closed = found[0].startsWith('(') && found[0].endsWith('))') ? end - 1 : end;
      cuts.push({ start: bracket, end: bracket + 1 }, { start: bracket + 1 + label.length, end: closed });
    }
  }
  const kept = cuts.map(({ start }, index) => text.slice(cuts[index - 1]?.end ?? 0, start));
  const rest = text.slice(cuts.at(-1)?.end ?? 0);
  return { text: kept.join('') + rest, positionOf: index => index - removedBefore(cuts, index) };
}

function removedBefore(cuts: readonly { start: number; end: number }[], index: number): number {
  let removed = 0;
  for (const { start, end } of cuts) {
    if (start >= index) break;
    removed += Math.min(end, index) - start;
  }
  return removed;
}

/** The text of a link that is a marker: a host, a number, or a host with a number. */
function isReference(label: string): boolean {
  return /^\s*(?:\[?\d{1,3}\]?|source|sources|link|(?:[a-z\d-]{1,63}\.)+[a-z]{2,24}(?:\s?\+\d+)?)\s*$/i.test(
    label,
  );
}

const address = String.raw`(?:[^()\s]|\([^()\s]{0,500}\)){0,2000}`;

/** All lengths are bounded, so that no text makes the search slow. */
const marker = new RegExp(
  [
    // ([apnews.com](https://…)), ([a.com](…), [b.com](…)) and [text](https://…)
    String.raw`\(?\[(?<label>\[?[^[\]\n]{1,200}\]?)\]\(${address}(?:\s"[^"\n]{0,300}")?\)(?:[,;]\s?(?=\[))?\)?`,
    // [[1]](https://…) without its address, [1], [^1]
    String.raw`\[{1,2}\^?\d{1,3}(?:\s?,\s?\d{1,3}){0,9}\]{1,2}`,
    String.raw`【[^【】\n]{0,100}†[^【】\n]{0,100}】`,
    String.raw`[\uE000-\uF8FF](?:(?:cite|entity|navlist|turn\d{1,3}[a-z]{1,12}\d{1,3}|[\uE000-\uF8FF]){0,40})`,
    String.raw`\b(?:cite)?(?:turn\d{1,3}(?:search|news|view|fetch|image|forecast|finance|sports)\d{1,3}){1,20}`,
    String.raw`\(?\bhttps?:\/\/[^\s<>"')\]]{1,2000}\)?`,
  ].join('|'),
  'gu',
);
