import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { apiKeyPrefix, displayPrefix, isApiKeyShaped, makeApiKey } from '../../purchase/api-key.js';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Repeats a short sequence of bytes. */
const repeat = (sequence: readonly number[]) => {
  let position = 0;
  return (count: number) =>
    Uint8Array.from({ length: count }, () => sequence[position++ % sequence.length] ?? 0);
};

/** Contains at least one usable byte; otherwise the key would never be complete. */
const keys = fc
  .tuple(fc.integer({ min: 0, max: 247 }), fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 60 }))
  .map(([usable, others]) => makeApiKey(repeat([usable, ...others])));

describe('a generated key', () => {
  test('has the prefix, 32 secret characters and 6 of checksum, and is accepted', () => {
    fc.assert(
      fc.property(keys, key => {
        expect(key).toMatch(/^pc_live_[0-9A-Za-z]{38}$/);
        expect(isApiKeyShaped(key)).toBe(true);
      }),
    );
  });

  test('is different each time', () => {
    const made = Array.from({ length: 500 }, () => makeApiKey(randomBytes));
    expect(new Set(made).size).toBe(500);
    expect(made.every(isApiKeyShaped)).toBe(true);
  });

  test('ends with the CRC-32 of the rest in base62', () => {
    // CRC-32 of "pc_live_" and 32 zeros, computed with zlib.
    expect(makeApiKey(() => new Uint8Array(32))).toBe(`${apiKeyPrefix}${'0'.repeat(32)}3QdfaN`);
  });

  test('favours no character: four bytes map to each, the others are discarded', () => {
    const secretOf = (byte: number) => makeApiKey(repeat([byte, 255])).charAt(apiKeyPrefix.length);
    const letters = Array.from({ length: 248 }, (_, byte) => secretOf(byte));
    for (const letter of base62) expect(letters.filter(other => other === letter)).toHaveLength(4);
    expect(makeApiKey(repeat([248, 249, 250, 251, 252, 253, 254, 255, 0]))).toBe(makeApiKey(repeat([0])));
  });

  test('displays only its first twelve characters', () => {
    fc.assert(
      fc.property(keys, key => {
        expect(displayPrefix(key)).toBe(key.slice(0, 12));
      }),
    );
  });
});

describe('an invalid key is rejected', () => {
  test('with one character changed, at every position to every character', () => {
    const key = makeApiKey(randomBytes);
    const accepted = Array.from(key).flatMap((own, at) =>
      Array.from(`${base62}_- `)
        .filter(other => other !== own)
        .map(other => key.slice(0, at) + other + key.slice(at + 1))
        .filter(isApiKeyShaped),
    );
    expect(accepted).toEqual([]);
  });

  test('truncated, extended, padded, in another case, or of another service', () => {
    const key = makeApiKey(repeat([10, 40, 3]));
    const wrong = [
      '',
      apiKeyPrefix,
      key.slice(0, -1),
      key.slice(1),
      `${key}0`,
      `${key}\n`,
      ` ${key}`,
      key.toUpperCase(),
      key.toLowerCase(),
      key.replace(apiKeyPrefix, 'sk_live_'),
      key.slice(apiKeyPrefix.length),
    ];
    expect(wrong.filter(isApiKeyShaped)).toEqual([]);
  });

  test('for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => !isApiKeyShaped(text)));
    fc.assert(fc.property(fc.string(), text => !isApiKeyShaped(apiKeyPrefix + text)));
  });
});
