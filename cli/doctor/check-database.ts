import { readServerState, type ServerState } from '../../db/migrate.js';
import { placeOf, withDatabase } from '../connections/with-database.js';
import { Failure } from '../terminal/failure.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem } from './finding.js';

/** Whether the database answers, is new enough, and has the schema of this release. */
export async function checkDatabase({ databaseUrl, settings }: DoctorWorld): Promise<readonly Finding[]> {
  if (databaseUrl === null) return [ok('database', 'none is set; `npm start` brings its own')];
  const embedded = settings.DATABASE_URL === undefined;
  try {
    const state = await withDatabase(databaseUrl, readServerState);
    return assessDatabase(state, { place: placeOf(databaseUrl), embedded });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const next = embedded
      ? 'Look at logs/postgres.log in COUNCIL_HOME, and start anew (`npm start`).'
      : error.next;
    return [problem('database', error.message, next)];
  }
}

const oldestMajorVersion = 15;

/** @param embedded whether it is the service's own, which every start migrates */
export function assessDatabase(
  { majorVersion, pending, unknown }: ServerState,
  { place, embedded }: { place: string; embedded: boolean },
): readonly Finding[] {
  const findings: Finding[] = [];
  if (majorVersion < oldestMajorVersion) {
    const detail = `PostgreSQL ${majorVersion} at ${place} is too old`;
    const next = `Upgrade it to ${oldestMajorVersion} or later; without DATABASE_URL \`npm start\` brings its own.`;
    findings.push(problem('database', detail, next));
  }
  if (pending.length > 0) {
    const next = embedded ? 'Start anew (`npm start`): every start migrates.' : 'Run `npm run migrate`.';
    findings.push(problem('database', `${place} is not migrated: ${pending.join(', ')}`, next));
  }
  if (unknown.length > 0) {
    const detail = `${place} was migrated by a newer release: ${unknown.join(', ')}`;
    findings.push(problem('database', detail, 'Run that release, or one after it.'));
  }
  return findings.length > 0
    ? findings
    : [ok('database', `PostgreSQL ${majorVersion} at ${place}, every migration has run`)];
}
