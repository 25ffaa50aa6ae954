/**
 * A text in the form in which words and numbers are compared: lower case, without accents and invisible characters,
 * with ASCII digits, percent signs and minus signs. Its length can differ from the text's.
 */
export function foldText(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase().replace(/ {2,}/g, ' ');
  return text
    .normalize('NFKD')
    .replace(accentsAndInvisible, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(otherDigits, digitOf)
    .replace(/[‐‑‒–—−﹣]/g, '-')
    .replace(/[⁄∕]/g, '/')
    .replace(/[٪﹪]/g, '%')
    .replace(/٫/g, '.')
    .replace(/[’‘ʼ]/g, "'")
    .replace(/\s+/g, ' ');
}

/** Most texts hold nothing else, and need no normal form. */
const plainAscii = /^[ -~]*$/;

/** The circumflex on an o stays: a French `côte` is a coast, and a `cote` is odds. */
const accentsAndInvisible = /(?<![oO])\u0302|[\u0300\u0301\u0303-\u036f\p{Cf}\p{Co}\p{Cs}]|(?!\s)\p{Cc}/gu;

const otherDigits = /(?![0-9])\p{Nd}/gu;

/** Where the digits of a script begin, for those in which news and markets are written. */
const zeros = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0,
];

function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const zero = zeros.find(first => code >= first && code < first + 10);
  return zero === undefined ? character : String(code - zero);
}
