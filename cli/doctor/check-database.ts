import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { countKeysByKid } from '../../db/accounts/provider-keys.js';
import { isHeard } from '../../db/listener.js';
import { readServerState, type ServerState } from '../../db/migrate.js';
import { errorCode } from '../../platform/embedded/process/processes.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { readSettingsTolerantly } from '../../platform/settings/settings.js';
import { placeOf, withDatabase } from '../connections/with-database.js';
import type { DoctorContext } from './doctor-context.js';
import { firstOf, ok, problem, type Result, type Row, sayings, unreachable, warning } from './finding.js';

/** Whether the database answers, is new enough, and has the schema of this release. */
export async function checkDatabase({ databaseUrl, settings }: DoctorContext): Promise<readonly Result[]> {
  if (databaseUrl === null) return [ok('not configured; `npm start` starts its own')];
  const embedded = settings.DATABASE_URL === undefined;
  try {
    const state = await withDatabase(databaseUrl, readServerState);
    const listened = embedded ? [] : await checkNotifications(databaseUrl, settings.DATABASE_DIRECT_URL);
    return [...assessDatabase(state, { place: placeOf(databaseUrl), embedded }), ...listened];
  } catch (error) {
    return [unreachable(error, embedded ? 'postgres.log' : null)];
  }
}

/** Connecting included. */
const heardWithinMs = 3_000;

/** The API is woken by notifications when a report has ended. */
async function checkNotifications(databaseUrl: string, directUrl = databaseUrl): Promise<readonly Result[]> {
  if (await withDatabase(databaseUrl, db => isHeard(db, directUrl, heardWithinMs))) return [];
  const detail = `no notification arrives at ${placeOf(directUrl)}: callers learn late that a report has ended`;
  const next =
    'Set DATABASE_DIRECT_URL to an address of the same database that no pooler in transaction mode is in front of.';
  return [problem(detail, next)];
}

const oldestMajorVersion = 15;

/** @param embedded whether the service runs the database itself, and migrates it at each start */
export function assessDatabase(
  { majorVersion, pending, unknown, role }: ServerState,
  { place, embedded }: { place: string; embedded: boolean },
): readonly Result[] {
  const upgrade = `Upgrade it to ${oldestMajorVersion} or later. Without DATABASE_URL, \`npm start\` starts its own.`;
  const migrate = embedded ? 'Start again (`npm start`): each start migrates.' : 'Run `npm run migrate`.';
  const grant = embedded
    ? 'Start again (`npm start`): each start grants what is missing.'
    : 'Run `npm run migrate` with DATABASE_URL of the owner of the tables: it grants what is missing.';
  const unreadable = `${role.name} may not read ${role.unreadable.join(', ')} at ${place}`;
  const newer = `${place} was migrated by a newer release: ${unknown.join(', ')}`;
  const problems = sayings([
    [
      majorVersion < oldestMajorVersion,
      problem(`PostgreSQL ${majorVersion} at ${place} is too old`, upgrade),
    ],
    [pending.length > 0, problem(`${place} is not migrated: ${pending.join(', ')}`, migrate)],
    [unknown.length > 0, problem(newer, 'Run that release or a later one.')],
    [pending.length === 0 && role.unreadable.length > 0, problem(unreadable, grant)],
  ]);
  if (problems.length > 0) return problems;
  // A deployment may use one role for everything: it works, and its database enforces less.
  const who = `the service connects as ${role.name},`;
  const give = 'Give the service a role of its own: docs/operations.md, "Database roles".';
  const revoke = 'Revoke it as the owner of the database: docs/operations.md, "Database roles".';
  const warnings = sayings([
    [role.superuser, warning(`${who} a superuser: no rule binds it`, give)],
    [role.ownsTables, warning(`${who} which owns its tables and can switch off their rules`, give)],
    [role.createsObjects, warning(`${who} which may create schemas, tables or temporary tables`, revoke)],
  ]);
  return [ok(`PostgreSQL ${majorVersion} at ${place}, all migrations have run`), ...warnings.slice(0, 1)];
}

const keyRecipe =
  "Create one: ENCRYPTION_KEYS=k1:$(node -p \"require('node:crypto').randomBytes(32).toString('base64')\"), followed by older keys, separated by commas.";

/** Whether the encryption keys can be read by their owner only, and open everything that is stored. */
export async function checkEncryptionKeys({ settings, env, databaseUrl }: DoctorContext): Promise<Result> {
  const { ENCRYPTION_KEYS: configured } = settings;
  if (configured === undefined && (env['ENCRYPTION_KEYS'] ?? '').trim() !== '') {
    return problem('ENCRYPTION_KEYS is invalid', keyRecipe);
  }
  const { ring, result } =
    configured === undefined
      ? await readKeyFile(join(settings.COUNCIL_HOME, 'encryption-keys'))
      : { ring: configured, result: ok(`${kids(configured)} in ENCRYPTION_KEYS`) };
  if (result.state === 'problem' || databaseUrl === null) return result;
  // The check of the database reports one that is unreachable or not migrated.
  const sealed = await withDatabase(databaseUrl, countKeysByKid).catch(() => []);
  const missing = sealed.filter(({ kid }) => ring.every(key => key.kid !== kid));
  if (missing.length === 0) return result;
  const counts = missing.map(({ kid, keys }) => `${keys} with ${JSON.stringify(kid)}`).join(', ');
  return problem(
    `stored provider keys or webhook secrets are sealed with missing encryption keys: ${counts}`,
    'Add the missing key to the ring again, after the active one: workers do not start without it.',
  );
}

async function readKeyFile(path: string): Promise<{ ring: readonly EncryptionKey[]; result: Result }> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => ({
    code: errorCode(error) ?? 'unknown',
  }));
  if (typeof text === 'object') {
    const result = ['ENOENT', 'ENOTDIR'].includes(text.code)
      ? ok(`none yet; the first start creates them in ${path}`)
      : problem(`${path} cannot be read (${text.code})`, giveFile);
    return { ring: [], result };
  }
  const ring = readSettingsTolerantly({ ENCRYPTION_KEYS: text }).settings.ENCRYPTION_KEYS ?? [];
  const isOpen = ((await stat(path)).mode & 0o077) !== 0;
  const rows: readonly Row[] = [
    [ring.length === 0, problem(`${path} is damaged`, restore)],
    [isOpen, warning(`other users can read ${path}`, `chmod 600 ${path}`)],
  ];
  return { ring, result: firstOf(rows, ok(`${kids(ring)} in ${path}`)) };
}

const giveFile = 'Run this as the user of the service, or give that user the file.';
const restore =
  'Restore it from a backup: only these keys open stored provider keys and sign-ins. Move it away to start without them.';

function kids(ring: readonly EncryptionKey[]): string {
  return ring.map(({ kid }, index) => (index === 0 ? `${kid} (active)` : kid)).join(', ');
}
