/** The unit in which a vendor counts offsets in a text. */
export type OffsetUnit = 'code points' | 'UTF-8 bytes';

/**
 * Converts a vendor's offsets in a text into UTF-16 code units, in which JavaScript counts.
 *
 * @returns A function that returns null for an offset outside the text, or inside a character.
 */
export function utf16Offsets(text: string, unit: OffsetUnit): (offset: number) => number | null {
  const converted = new Map<number, number>();
  let offset = 0;
  let index = 0;
  for (const character of text) {
    converted.set(offset, index);
    offset += unit === 'code points' ? 1 : utf8Length(character);
    index += character.length;
  }
  converted.set(offset, index);
  return wanted => converted.get(wanted) ?? null;
}

function utf8Length(character: string): number {
  return Buffer.byteLength(character, 'utf8');
}
