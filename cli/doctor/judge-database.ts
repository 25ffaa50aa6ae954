import type { ServerState } from '../../db/server-state.js';
import { type Finding, ok, problem } from './finding.js';

const oldestMajorVersion = 15;

/** @param embedded whether it is the service's own, which every start migrates */
export function judgeDatabase(
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
