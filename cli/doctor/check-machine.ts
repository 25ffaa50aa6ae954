import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { packageFacts } from '../../platform/settings/project-files.js';
import { type DoctorContext, runsAlone } from './doctor-context.js';
import { firstOf, ok, problem, type Result, warning } from './finding.js';

export function checkSettings({ settingProblems, settings }: DoctorContext): readonly Result[] {
  const { COUNCIL_PROVIDERS: models, MARKETS: markets } = settings;
  if (settingProblems.length === 0) return [ok(`all valid; models ${models}, markets ${markets.join(', ')}`)];
  const next =
    'Correct or unset it: the service does not start until then. docs/configuration.md lists all settings.';
  return settingProblems.map(detail => problem(detail, next));
}

export function checkNode(version = process.versions.node, { nodeRange } = packageFacts()): Result {
  const detail = `${version}; required: ${nodeRange}`;
  return satisfies(version, nodeRange)
    ? ok(detail)
    : problem(detail, 'Install a newer Node.js (https://nodejs.org), then run `npm ci`.');
}

/** The part of npm's range syntax that package.json uses: `^20.19.0 || >=22.12.0`. */
function satisfies(version: string, range: string): boolean {
  return range.split('||').some(part => {
    const [, operator, minimum] = /^(\^|>=)(\d+\.\d+(?:\.\d+)?)$/.exec(part.trim()) ?? [];
    if (minimum === undefined) throw new Error(`package.json requires ${range}, which cannot be read`);
    const isNewEnough = version.localeCompare(minimum, 'en', { numeric: true }) >= 0;
    return isNewEnough && (operator === '>=' || version.split('.')[0] === minimum.split('.')[0]);
  });
}

/** Whether data can be stored in COUNCIL_HOME, and whether a service runs on it. */
export async function checkHome(context: DoctorContext): Promise<Result> {
  const { settings, holder, running, wasKilled } = context;
  if (runsAlone(context) && settings.ENCRYPTION_KEYS !== undefined) {
    return ok('not used: database, Temporal and encryption keys are configured');
  }
  const home = resolve(settings.COUNCIL_HOME);
  const { path, isFolder } = await nearestExisting(home);
  const another = 'or set COUNCIL_HOME to another folder.';
  const resume = 'Run `npm start` with the same COUNCIL_HOME: it resumes every run.';
  const wait = `Wait for its ready line and check again. If it does not appear, end process ${holder} and start again.`;
  return firstOf(
    [
      [!isFolder, problem(`${path} is not a folder`, `Move it away, ${another}`)],
      [
        !(await isWritable(path)),
        problem(`${path} is not writable`, `Give this user ${path} (chown), ${another}`),
      ],
      [path !== home, ok(`the first start creates ${home}`)],
      [wasKilled, warning(`the service on ${home} was killed`, resume)],
      [holder === null, ok(`${home} is writable; no service runs on it`)],
      [running !== null, ok(`a service runs on ${home} (process ${holder})`)],
    ],
    warning(`process ${holder} is starting or stopping on ${home}`, wait),
  );
}

/** The path itself, or the nearest folder above it that exists. */
async function nearestExisting(path: string): Promise<{ path: string; isFolder: boolean }> {
  const found = await stat(path).catch(() => null);
  if (found !== null) return { path, isFolder: found.isDirectory() };
  return dirname(path) === path ? { path, isFolder: false } : nearestExisting(dirname(path));
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
