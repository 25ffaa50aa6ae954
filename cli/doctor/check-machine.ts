import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { packageFacts } from '../../config/project-files.js';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem, warning } from './finding.js';

/** @param version of the Node.js that runs, without a leading v */
export function checkNode(
  version = process.versions.node,
  { nodeRange } = packageFacts(),
): readonly Finding[] {
  const detail = `${version}; ${nodeRange} is needed`;
  return satisfies(version, nodeRange)
    ? [ok('node', detail)]
    : [problem('node', detail, 'Install a newer Node.js (https://nodejs.org), then `npm ci`.')];
}

/** As much of npm's ranges as a package.json needs: `^20.19.0 || >=22.12.0`. */
function satisfies(version: string, range: string): boolean {
  const is = version.split('.').map(Number);
  return range.split('||').some(part => {
    const [, sign, ...needed] = /^(\^|>=)(\d+)\.(\d+)(?:\.(\d+))?$/.exec(part.trim()) ?? [];
    if (sign === undefined) throw new Error(`package.json asks for ${range}, which is not understood`);
    const wanted = needed.map(digits => Number(digits ?? 0));
    return (sign === '>=' || is[0] === wanted[0]) && isAtLeast(is, wanted);
  });
}

function isAtLeast(is: readonly number[], wanted: readonly number[]): boolean {
  const differs = wanted.findIndex((part, index) => part !== (is[index] ?? 0));
  return differs === -1 || (is[differs] ?? 0) > (wanted[differs] ?? 0);
}

/** Whether data can be kept there, and whether a service does so now. */
export async function checkHome(world: DoctorWorld): Promise<readonly Finding[]> {
  const home = resolve(world.settings.COUNCIL_HOME);
  const place = await nearest(home);
  if (place.exists && !place.isFolder) {
    return [
      problem('home', `${place.path} is not a folder`, 'Move it away, or set COUNCIL_HOME to a folder.'),
    ];
  }
  if (!(await isWritable(place.path))) {
    const next = `Give this user ${place.path} (chown), or set COUNCIL_HOME to a folder of its own.`;
    return [problem('home', `${place.path} cannot be written to`, next)];
  }
  return [
    place.path === home ? occupation(home, world) : ok('home', `${home} will be made by the first start`),
  ];
}

/** The path itself, or the first folder above it that is there. */
async function nearest(path: string): Promise<{ path: string; exists: boolean; isFolder: boolean }> {
  for (let at = path; ; at = dirname(at)) {
    const found = await stat(at).catch(() => null);
    if (found !== null || at === dirname(at)) {
      return { path: at, exists: found !== null, isFolder: found?.isDirectory() === true };
    }
  }
}

function isWritable(path: string): Promise<boolean> {
  return access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

function occupation(home: string, { holder, running, wasKilled }: DoctorWorld): Finding {
  if (wasKilled) {
    const next = '`npm start` on the same COUNCIL_HOME takes every run up where it was.';
    return warning('home', `${home} was left by a service that was killed`, next);
  }
  if (holder === null) return ok('home', `${home} is writable; no service runs on it`);
  if (running !== null) return ok('home', `a service runs on ${home} (process ${holder})`);
  const next =
    'Wait for its ready line, and look again; where it never comes, end that process and start anew.';
  return warning('home', `process ${holder} is just starting or ending on ${home}`, next);
}

export function checkSettings({ complaints, settings }: DoctorWorld): readonly Finding[] {
  if (complaints.length === 0) {
    const { COUNCIL_PROVIDERS: models, MARKETS: markets } = settings;
    return [ok('settings', `all valid; models ${models}, markets ${markets}`)];
  }
  const next =
    'Correct or unset it: nothing starts until then. README.md, “Separate processes”, lists every setting.';
  return complaints.map(complaint => problem('settings', complaint, next));
}

/** Whether credits can be bought. Nothing is asked of Stripe. */
export function checkPayments({ settings }: DoctorWorld): readonly Finding[] {
  const unset = (['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] as const).filter(
    name => settings[name] === undefined,
  );
  if (unset.length === 0)
    return [ok('payments', 'set up; Stripe sends its webhooks to /api/billing/webhook')];
  return [
    warning(
      'payments',
      `not set up: buying answers 503, and everything else works`,
      `To sell credits, set ${unset.join(' and ')}.`,
    ),
  ];
}
