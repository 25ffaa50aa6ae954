import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings, type Settings } from '../settings.js';
import { type EncryptionKey, formatKeyRing } from './key-ring.js';

/**
 * The key ring of this deployment: the one that was set, else one made once and kept in COUNCIL_HOME, readable by
 * its owner only. Two processes that start together end up with the same one.
 */
export function encryptionKeys(settings: Settings): readonly EncryptionKey[] {
  if (settings.ENCRYPTION_KEYS !== undefined) return settings.ENCRYPTION_KEYS;
  const path = join(settings.COUNCIL_HOME, 'encryption-keys');
  const kept = readRing(path);
  if (kept !== undefined) return kept;
  mkdirSync(settings.COUNCIL_HOME, { recursive: true });
  // A name of its own: where two machines made a ring each, a key of the other's is seen by its kid.
  const kid = `k-${randomBytes(4).toString('hex')}`;
  writeOnce(path, formatKeyRing([{ kid, key: randomBytes(32) }]));
  const ring = readRing(path);
  if (ring === undefined) throw new Error(`${path} was made and is not there`);
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

/** Whole or not at all, and never over one that is there. */
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
 * The secrets of the built-in accounts, drawn from the key ring: one more secret to keep would be one more to
 * lose. A ring that is rotated keeps opening what its older keys closed.
 */
export function authSecrets(ring: readonly EncryptionKey[]): { version: number; value: string }[] {
  return ring.map(({ kid, key }) => ({
    version: createHash('sha256').update(kid).digest().readUInt32BE(0),
    value: Buffer.from(hkdfSync('sha256', key, '', 'built-in accounts', 32)).toString('base64url'),
  }));
}
