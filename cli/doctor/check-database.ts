import { readServerState } from '../../db/server-state.js';
import { placeOf } from '../explain-database-error.js';
import { Failure } from '../failure.js';
import { withDatabase } from '../with-database.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem } from './finding.js';
import { judgeDatabase } from './judge-database.js';

/** Whether the database answers, is new enough, and has the schema of this release. */
export async function checkDatabase({ databaseUrl, settings }: DoctorWorld): Promise<readonly Finding[]> {
  if (databaseUrl === null) return [ok('database', 'none is set; `npm start` brings its own')];
  const embedded = settings.DATABASE_URL === undefined;
  try {
    const state = await withDatabase(databaseUrl, readServerState);
    return judgeDatabase(state, { place: placeOf(databaseUrl), embedded });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const next = embedded
      ? 'Look at logs/postgres.log in COUNCIL_HOME, and start anew (`npm start`).'
      : error.next;
    return [problem('database', error.message, next)];
  }
}
