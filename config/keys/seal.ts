import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { EncryptionKey } from './key-ring.js';

/** A secret as it is stored: AES-256-GCM, by the key of the ring that `kid` names. */
export interface Sealed {
  readonly kid: string;
  readonly iv: Buffer;
  readonly tag: Buffer;
  readonly ciphertext: Buffer;
}

/** The one row that a sealed key may be opened in: copied to any other it stays shut. */
export interface SealedPlace {
  readonly keyId: string;
  readonly accountId: string;
  readonly provider: string;
}

/** Seals with the active key of the ring. @param randomBytes a new IV for each sealing: one used twice gives the key away. */
export function seal(
  ring: readonly EncryptionKey[],
  plaintext: string,
  place: SealedPlace,
  randomBytes: (count: number) => Uint8Array,
): Sealed {
  const [active] = ring;
  if (active === undefined) throw new Error('the key ring is empty');
  const iv = Buffer.from(randomBytes(sealing.ivBytes));
  const cipher = createCipheriv(sealing.algorithm, active.key, iv, { authTagLength: sealing.tagBytes });
  cipher.setAAD(associatedData(place));
  const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return { kid: active.kid, iv, tag: cipher.getAuthTag(), ciphertext };
}

const sealing = { algorithm: 'aes-256-gcm', ivBytes: 12, tagBytes: 16 } as const;

const formatVersion = 1;

/** As JSON, so that no two places can be joined to the same text. */
function associatedData({ keyId, accountId, provider }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([formatVersion, keyId, accountId, provider]));
}

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
