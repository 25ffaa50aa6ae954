import type { z } from 'zod';

/** An AES-256 key. The first key of a ring is the active one; the others only open what they sealed earlier. */
export interface EncryptionKey {
  readonly kid: string;
  readonly key: Buffer;
}

const keyBytes = 32;

/** Parses `kid:base64[,kid:base64]`. The error message contains nothing of the value. */
export function parseKeyRing(
  value: string | undefined,
  context: z.RefinementCtx,
): readonly EncryptionKey[] | undefined {
  if (value === undefined) return undefined;
  const ring = value.split(',').map(parseKey);
  const keys = ring.filter(key => key !== null);
  const distinct = new Set(keys.map(key => key.kid));
  if (keys.length === ring.length && distinct.size === ring.length) return keys;
  context.addIssue({
    code: 'custom',
    message: 'must be kid:base64[,kid:base64] with different kids and keys of 32 bytes',
  });
  return undefined;
}

/** The ring in the format of ENCRYPTION_KEYS. */
export function formatKeyRing(ring: readonly EncryptionKey[]): string {
  return ring.map(({ kid, key }) => `${kid}:${key.toString('base64')}`).join(',');
}

function parseKey(item: string): EncryptionKey | null {
  const [, kid, encoded] = /^\s*([\w-]{1,64}):([A-Za-z0-9+/]+={0,2})\s*$/.exec(item) ?? [];
  if (kid === undefined || encoded === undefined) return null;
  const key = Buffer.from(encoded, 'base64');
  return key.length === keyBytes ? { kid, key } : null;
}
