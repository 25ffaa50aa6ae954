import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DoctorWorld } from './doctor-world.js';
import { type Finding, ok, problem, warning } from './finding.js';

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
