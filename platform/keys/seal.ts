import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { EncryptionKey } from './key-ring.js';

/** An encrypted secret (AES-256-GCM), with the `kid` of the key. */
export interface Sealed {
  readonly kid: string;
  readonly iv: Buffer;
  readonly tag: Buffer;
  readonly ciphertext: Buffer;
}

/** The row that a sealed key belongs to. Copied to another row it cannot be opened. */
export interface SealedPlace {
  readonly keyId: string;
  readonly accountId: string;
  readonly provider: string;
}

/**
 * Encrypts with the active key of the ring. @param randomBytes creates a new IV each time: reusing one reveals the key
 */
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

/** What sealing needs of its composition root. */
export interface SealingMeans {
  readonly keyRing: readonly EncryptionKey[];
  readonly newId: () => string;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Encrypts a secret for a row that is yet to be inserted. @returns the id of the row, too */
export function sealForNewRow(
  { keyRing, newId, randomBytes }: SealingMeans,
  plaintext: string,
  owner: Omit<SealedPlace, 'keyId'>,
): { readonly id: string; readonly sealed: Sealed } {
  const id = newId();
  return { id, sealed: seal(keyRing, plaintext, { keyId: id, ...owner }, randomBytes) };
}

const sealing = { algorithm: 'aes-256-gcm', ivBytes: 12, tagBytes: 16 } as const;

const formatVersion = 1;

/** The text is JSON, so that no two places give the same text. */
function associatedData({ keyId, accountId, provider }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([formatVersion, keyId, accountId, provider]));
}

/**
 * Decrypts what `seal` encrypted for the same place.
 * @throws UnsealError, without any of the content
 */
export function unseal(ring: readonly EncryptionKey[], sealed: Sealed, place: SealedPlace): string {
  const { kid, iv, tag, ciphertext } = sealed;
  const key = ring.find(candidate => candidate.kid === kid);
  if (key === undefined) throw new UnsealError('unknown_kid', kid);
  // Node would compare only the first 4 bytes of a tag of 4 bytes, which can be guessed.
  if (iv.length !== sealing.ivBytes || tag.length !== sealing.tagBytes) throw new UnsealError('damaged', kid);
  const decipher = createDecipheriv(sealing.algorithm, key.key, iv, {
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

/** `unknown_kid`: another ring may open it. `damaged`: this key never opens it in this place. */
export class UnsealError extends Error {
  readonly problem: 'unknown_kid' | 'damaged';
  readonly kid: string;

  constructor(problem: 'unknown_kid' | 'damaged', kid: string) {
    super(
      problem === 'unknown_kid'
        ? `a stored key was sealed with ${JSON.stringify(kid)}, which is not in ENCRYPTION_KEYS`
        : `a stored key that was sealed with ${JSON.stringify(kid)} does not open: it was changed or moved, or ${JSON.stringify(kid)} is now another key`,
    );
    this.name = 'UnsealError';
    this.problem = problem;
    this.kid = kid;
  }
}
