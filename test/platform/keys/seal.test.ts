import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { EncryptionKey } from '../../../platform/keys/key-ring.js';
import { type Sealed, type SealedPlace, seal, UnsealError, unseal } from '../../../platform/keys/seal.js';

const secret = 'sk-canary-0123456789';
const place: SealedPlace = { keyId: 'key-1', accountId: 'account-1', provider: 'openai' };
const older: EncryptionKey = { kid: 'older', key: randomBytes(32) };
const newer: EncryptionKey = { kid: 'newer', key: randomBytes(32) };

const sealed = seal([newer, older], secret, place, randomBytes);

function problemOf(changed: Partial<Sealed>, where: Partial<SealedPlace> = {}, ring = [newer, older]) {
  try {
    unseal(ring, { ...sealed, ...changed }, { ...place, ...where });
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    expect(error.message).not.toContain('canary');
    return error.problem;
  }
  return 'none';
}

/** With one bit of it turned over. */
function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return copy;
}

describe('a sealed key', () => {
  test('opens where it was sealed', () => {
    expect(unseal([newer, older], sealed, place)).toBe(secret);
    expect(unseal([older, newer], sealed, place)).toBe(secret);
  });

  test('is sealed with the first key of the ring, and shows nothing of itself', () => {
    expect(sealed.kid).toBe('newer');
    expect(sealed.iv).toHaveLength(12);
    expect(sealed.tag).toHaveLength(16);
    expect(Buffer.concat([sealed.iv, sealed.tag, sealed.ciphertext]).toString('latin1')).not.toContain(
      'canary',
    );
  });

  test('is never sealed twice the same way', () => {
    const again = seal([newer], secret, place, randomBytes);
    expect(again.iv.equals(sealed.iv)).toBe(false);
    expect(again.ciphertext.equals(sealed.ciphertext)).toBe(false);
  });

  test.each<[keyof SealedPlace, string]>([
    ['keyId', 'key-2'],
    ['accountId', 'account-2'],
    ['provider', 'anthropic'],
  ])('does not open with another %s', (field, value) => {
    expect(problemOf({}, { [field]: value })).toBe('damaged');
  });

  test('does not open where the same letters are split up otherwise', () => {
    expect(problemOf({}, { keyId: 'key-1a', accountId: 'ccount-1' })).toBe('damaged');
    const quoted = { keyId: 'key-1","account-1', accountId: 'openai', provider: '' };
    expect(problemOf({}, quoted)).toBe('damaged');
  });

  test('does not open with any one bit turned over', () => {
    for (const part of ['iv', 'tag', 'ciphertext'] as const) {
      for (let bit = 0; bit < sealed[part].length * 8; bit++) {
        expect(problemOf({ [part]: flipped(sealed[part], bit) })).toBe('damaged');
      }
    }
  });

  test.each([0, 4, 8, 12, 15])('is refused with a tag cut to %i bytes', bytes => {
    expect(problemOf({ tag: sealed.tag.subarray(0, bytes) })).toBe('damaged');
  });

  test('is refused with anything but 12 bytes of IV', () => {
    expect(problemOf({ iv: sealed.iv.subarray(0, 8) })).toBe('damaged');
    expect(problemOf({ iv: Buffer.concat([sealed.iv, Buffer.alloc(4)]) })).toBe('damaged');
  });

  test('says by which name its key is missing from the ring', () => {
    expect(problemOf({}, {}, [older])).toBe('unknown_kid');
    expect(() => unseal([older], sealed, place)).toThrow(/"newer", which is not in ENCRYPTION_KEYS/);
  });

  test('does not open with another key of the same name', () => {
    expect(problemOf({}, {}, [{ kid: 'newer', key: randomBytes(32) }])).toBe('damaged');
  });

  test('cannot be made without a key', () => {
    expect(() => seal([], secret, place, randomBytes)).toThrow('the key ring is empty');
  });
});
