import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, type Settings } from '../settings/settings.js';
import { type EncryptionKey, formatKeyRing } from './key-ring.js';

/**
 * The key ring of this deployment: ENCRYPTION_KEYS, else a ring that is created once in COUNCIL_HOME, readable by its
 * owner only. Two processes that start at the same time get the same ring.
 */
export function encryptionKeys(settings: Settings): readonly EncryptionKey[] {
  if (settings.ENCRYPTION_KEYS !== undefined) return settings.ENCRYPTION_KEYS;
  const path = join(settings.COUNCIL_HOME, 'encryption-keys');
  const existing = readRing(path);
  if (existing !== undefined) return existing;
  mkdirSync(settings.COUNCIL_HOME, { recursive: true });
  // A unique kid: if two machines create a ring each, the kid shows which ring a key is from.
  const kid = `k-${randomBytes(4).toString('hex')}`;
  writeOnce(path, formatKeyRing([{ kid, key: randomBytes(32) }]));
  const ring = readRing(path);
  if (ring === undefined) throw new Error(`${path} was created but is missing`);
  return ring;
}

function readRing(path: string): readonly EncryptionKey[] | undefined {
  try {
    return readSettings({ ENCRYPTION_KEYS: readFileSync(path, 'utf8') }).ENCRYPTION_KEYS;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes the file completely or not at all, and never replaces one. */
function writeOnce(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
}

/**
 * The secrets of the built-in accounts, derived from the key ring, so that operators have one secret less to keep.
 * After a rotation the older keys of the ring still open what they sealed.
 */
export function authSecrets(ring: readonly EncryptionKey[]): { version: number; value: string }[] {
  return ring.map(({ kid, key }) => ({
    version: createHash('sha256').update(kid).digest().readUInt32BE(0),
    value: Buffer.from(hkdfSync('sha256', key, '', 'built-in accounts', 32)).toString('base64url'),
  }));
}
