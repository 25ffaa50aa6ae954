import { createCipheriv } from 'node:crypto';
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

export const sealing = { algorithm: 'aes-256-gcm', ivBytes: 12, tagBytes: 16 } as const;

const formatVersion = 1;

/** As JSON, so that no two places can be joined to the same text. */
export function associatedData({ keyId, accountId, provider }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([formatVersion, keyId, accountId, provider]));
}
