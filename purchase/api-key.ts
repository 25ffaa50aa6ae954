/**
 * An API key is `pc_live_`, 32 random base62 characters (190 bits), and the CRC-32 of these in 6 base62
 * characters. The checksum lets the service and secret scanners reject an invalid key without a database.
 */
export const apiKeyPrefix = 'pc_live_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretChars = 32;
const checksumChars = 6;
const displayChars = 12;
const wellFormed = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${secretChars + checksumChars},}$`);

/**
 * @param randomBytes source of uniform bytes; bytes that would favour some characters are discarded
 */
export function makeApiKey(randomBytes: (count: number) => Uint8Array): string {
  const unbiasedBelow = 256 - (256 % alphabet.length);
  let secret = '';
  while (secret.length < secretChars) {
    for (const byte of randomBytes(secretChars)) {
      if (byte < unbiasedBelow && secret.length < secretChars)
        secret += alphabet.charAt(byte % alphabet.length);
    }
  }
  const body = apiKeyPrefix + secret;
  return body + checksum(body);
}

/** Whether the service may have made this key. It is checked before the database is queried. */
export function isApiKeyShaped(candidate: string): boolean {
  if (!wellFormed.test(candidate)) return false;
  const body = candidate.slice(0, -checksumChars);
  return checksum(body) === candidate.slice(-checksumChars);
}

/** The part of a key that may be displayed. */
export function displayPrefix(key: string): string {
  return key.slice(0, displayChars);
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < checksumChars; i++) {
    digits = alphabet.charAt(value % alphabet.length) + digits;
    value = Math.floor(value / alphabet.length);
  }
  return digits;
}

/** CRC-32 (ISO-HDLC) of ASCII text, bit by bit: keys are short, and a table would be longer. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
