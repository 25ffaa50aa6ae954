import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { countKeysByKid } from '../../db/accounts/provider-keys.js';
import { readServerState, type ServerState } from '../../db/migrate.js';
import type { RoleState } from '../../db/service-role.js';
import { errorCode } from '../../platform/embedded/process/processes.js';
import type { EncryptionKey } from '../../platform/keys/key-ring.js';
import { readSettingsTolerantly } from '../../platform/settings/settings.js';
import { placeOf, withDatabase } from '../connections/with-database.js';
import { Failure } from '../terminal/failure.js';
import type { DoctorContext } from './doctor-context.js';
import { ok, problem, type Result, warning } from './finding.js';

/** Whether the database answers, is new enough, and has the schema of this release. */
export async function checkDatabase({ databaseUrl, settings }: DoctorContext): Promise<readonly Result[]> {
  if (databaseUrl === null) return [ok('not configured; `npm start` starts its own')];
  const embedded = settings.DATABASE_URL === undefined;
  try {
    const state = await withDatabase(databaseUrl, readServerState);
    return assessDatabase(state, { place: placeOf(databaseUrl), embedded });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const next = embedded
      ? 'Look at logs/postgres.log in COUNCIL_HOME, and start again (`npm start`).'
      : error.next;
    return [problem(error.message, next)];
  }
}

const oldestMajorVersion = 15;

/** @param embedded whether the service runs the database itself, and migrates it at each start */
export function assessDatabase(
  { majorVersion, pending, unknown, role }: ServerState,
  { place, embedded }: { place: string; embedded: boolean },
): readonly Result[] {
  const problems: Result[] = [];
  if (majorVersion < oldestMajorVersion) {
    const next = `Upgrade it to ${oldestMajorVersion} or later. Without DATABASE_URL, \`npm start\` starts its own.`;
    problems.push(problem(`PostgreSQL ${majorVersion} at ${place} is too old`, next));
  }
  if (pending.length > 0) {
    const next = embedded ? 'Start again (`npm start`): each start migrates.' : 'Run `npm run migrate`.';
    problems.push(problem(`${place} is not migrated: ${pending.join(', ')}`, next));
  }
  if (unknown.length > 0) {
    const detail = `${place} was migrated by a newer release: ${unknown.join(', ')}`;
    problems.push(problem(detail, 'Run that release or a later one.'));
  }
  if (pending.length === 0 && role.unreadable.length > 0) {
    const detail = `${role.name} may not read ${role.unreadable.join(', ')} at ${place}`;
    const next = embedded
      ? 'Start again (`npm start`): each start grants what is missing.'
      : 'Run `npm run migrate` with DATABASE_URL of the owner of the tables: it grants what is missing.';
    problems.push(problem(detail, next));
  }
  if (problems.length > 0) return problems;
  const done = `PostgreSQL ${majorVersion} at ${place}, all migrations have run`;
  return [ok(done), ...assessRole(role)];
}

/** A deployment may use one role for everything: it works, and its database enforces less. */
function assessRole({ name, superuser, ownsTables, createsObjects }: RoleState): readonly Result[] {
  const next = 'Give the service a role of its own: docs/operations.md, "Database roles".';
  if (superuser) return [warning(`the service connects as ${name}, a superuser: no rule binds it`, next)];
  if (ownsTables) {
    return [
      warning(`the service connects as ${name}, which owns its tables and can switch off their rules`, next),
    ];
  }
  if (!createsObjects) return [];
  return [
    warning(
      `the service connects as ${name}, which may create schemas, tables or temporary tables`,
      'Revoke it as the owner of the database: docs/operations.md, "Database roles".',
    ),
  ];
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
    `stored provider keys are sealed with missing encryption keys: ${counts}`,
    'Add the missing key to the ring again, after the active one: workers do not start without it.',
  );
}

async function readKeyFile(path: string): Promise<{ ring: readonly EncryptionKey[]; result: Result }> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = errorCode(error) ?? 'unknown';
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    const next = 'Run this as the user of the service, or give that user the file.';
    const result = isMissing
      ? ok(`none yet; the first start creates them in ${path}`)
      : problem(`${path} cannot be read (${code})`, next);
    return { ring: [], result };
  }
  const ring = readSettingsTolerantly({ ENCRYPTION_KEYS: text }).settings.ENCRYPTION_KEYS ?? [];
  if (ring.length === 0) {
    const next =
      'Restore it from a backup: only these keys open stored provider keys and sign-ins. Move it away to start without them.';
    return { ring, result: problem(`${path} is damaged`, next) };
  }
  const isPrivate = ((await stat(path)).mode & 0o077) === 0;
  const result = isPrivate
    ? ok(`${kids(ring)} in ${path}`)
    : warning(`other users can read ${path}`, `chmod 600 ${path}`);
  return { ring, result };
}

function kids(ring: readonly EncryptionKey[]): string {
  return ring.map(({ kid }, index) => (index === 0 ? `${kid} (active)` : kid)).join(', ');
}
