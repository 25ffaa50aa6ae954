import { createDecipheriv } from 'node:crypto';
import type { EncryptionKey } from './key-ring.js';
import { associatedData, type Sealed, type SealedPlace, sealing } from './seal.js';

/**
 * Opens what `seal` closed, in the same place only.
 *
 * @throws UnsealError, which says nothing of the content.
 */
export function unseal(ring: readonly EncryptionKey[], sealed: Sealed, place: SealedPlace): string {
  const { kid, iv, tag, ciphertext } = sealed;
  const closedWith = ring.find(key => key.kid === kid);
  if (closedWith === undefined) throw new UnsealError('unknown_kid', kid);
  // Node would check a tag of 4 bytes against its first 4 only, and those can be guessed.
  if (iv.length !== sealing.ivBytes || tag.length !== sealing.tagBytes) throw new UnsealError('damaged', kid);
  const decipher = createDecipheriv(sealing.algorithm, closedWith.key, iv, {
    authTagLength: sealing.tagBytes,
  });
  decipher.setAAD(associatedData(place));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
  } catch {
    throw new UnsealError('damaged', kid);
  }
}

/** `unknown_kid`: it may open with another ring. `damaged`: with this key it never will, here. */
export class UnsealError extends Error {
  readonly problem: 'unknown_kid' | 'damaged';
  readonly kid: string;

  constructor(problem: 'unknown_kid' | 'damaged', kid: string) {
    super(
      problem === 'unknown_kid'
        ? `a stored key was sealed with ${JSON.stringify(kid)}, which is not in ENCRYPTION_KEYS`
        : `a stored key that was sealed with ${JSON.stringify(kid)} does not open: it was changed or moved, or the key of that name is another`,
    );
    this.name = 'UnsealError';
    this.problem = problem;
    this.kid = kid;
  }
}
