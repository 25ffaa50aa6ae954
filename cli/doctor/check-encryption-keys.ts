import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EncryptionKey } from '../../config/keys/key-ring.js';
import { readSettings } from '../../config/settings.js';
import { countKeysByKid } from '../../db/accounts/provider-keys.js';
import { errorCode } from '../../embedded/process/processes.js';
import { withDatabase } from '../connections/with-database.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** Whether there is a key ring, whether only its owner can read it, and whether it opens what is stored. */
export async function checkEncryptionKeys(world: DoctorWorld): Promise<readonly Finding[]> {
  const { ENCRYPTION_KEYS: ring } = world.settings;
  if (ring !== undefined)
    return gapOr(world, ring, ok('encryption_keys', `${kids(ring)} in ENCRYPTION_KEYS`));
  if ((world.env['ENCRYPTION_KEYS'] ?? '').trim() !== '') {
    return [problem('encryption_keys', 'ENCRYPTION_KEYS is set and cannot be read', `Make one: ${makeOne}`)];
  }
  return checkFile(world, join(world.settings.COUNCIL_HOME, 'encryption-keys'));
}

const makeOne =
  "ENCRYPTION_KEYS=k1:$(node -p \"require('node:crypto').randomBytes(32).toString('base64')\"), with any older keys behind it, separated by commas.";

async function checkFile(world: DoctorWorld, path: string): Promise<readonly Finding[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      return gapOr(world, [], ok('encryption_keys', `none yet; the first start makes them in ${path}`));
    }
    const next = 'Run this as the user whom the service runs as, or give that user the file.';
    return [problem('encryption_keys', `${path} cannot be read (${code ?? 'unknown'})`, next)];
  }
  const ring = ringIn(text);
  if (ring === undefined) {
    const next =
      'Restore it from a backup: stored provider keys and sign-ins open with it alone. Move it away to begin anew without them.';
    return [problem('encryption_keys', `${path} is damaged`, next)];
  }
  const { mode } = await stat(path);
  const found =
    (mode & 0o077) === 0
      ? ok('encryption_keys', `${kids(ring)} in ${path}`)
      : warning('encryption_keys', `${path} can be read by other users`, `chmod 600 ${path}`);
  return gapOr(world, ring, found);
}

function ringIn(text: string): readonly EncryptionKey[] | undefined {
  try {
    return readSettings({ ENCRYPTION_KEYS: text }).ENCRYPTION_KEYS;
  } catch {
    return undefined;
  }
}

/** A worker whose ring lacks a key that something stored was sealed with refuses to start. */
async function gapOr(
  { databaseUrl }: DoctorWorld,
  ring: readonly EncryptionKey[],
  otherwise: Finding,
): Promise<readonly Finding[]> {
  // A database that is away or not migrated is told of by the check of the database.
  const sealed = databaseUrl === null ? [] : await withDatabase(databaseUrl, countKeysByKid).catch(() => []);
  const missing = sealed.filter(({ kid }) => ring.every(key => key.kid !== kid));
  if (missing.length === 0) return [otherwise];
  const what = missing.map(({ kid, keys }) => `${keys} with ${JSON.stringify(kid)}`).join(', ');
  const next = 'Put that key back into the ring, behind the active one: no worker starts without it.';
  return [
    problem('encryption_keys', `stored provider keys are sealed with keys that are not here: ${what}`, next),
  ];
}

function kids(ring: readonly EncryptionKey[]): string {
  return ring.map(({ kid }, index) => (index === 0 ? `${kid} (active)` : kid)).join(', ');
}
