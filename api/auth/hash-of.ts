import { createHash } from 'node:crypto';

/** SHA-256 of a secret of 128 random bits or more: nothing slower or salted is needed for such. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
