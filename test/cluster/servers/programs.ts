import { access, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { binaryCacheDir, withWorkDirectory } from '../../../platform/embedded/process/binary-cache.js';
import { findTemporal } from '../../../platform/embedded/temporal/find-temporal.js';
import type { Runbook } from '../runbook.js';

/**
 * Builds Temporal's server and schema tool by the step `programs`, once a version, and finds Temporal's command line.
 * @returns a `PATH` with all of them
 */
export async function findPrograms(
  runbook: Runbook,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<string> {
  const cli = await findTemporal({ env, log: say });
  const cacheDir = binaryCacheDir(env);
  const folder = join(cacheDir, `temporal-server-v${serverVersion(runbook.textOf('programs'))}`);
  if (await exists(folder)) say(`The programs of Temporal's server are in ${folder}.`);
  else {
    say(`Building Temporal's server and schema tool from their Go modules: some minutes, once a version.`);
    await withWorkDirectory(cacheDir, async directory => {
      await runbook.run({
        step: 'programs',
        cwd: directory,
        env: { ...env, PROGRAMS: directory, GOTMPDIR: directory },
      });
      await rename(directory, folder);
    });
    say(`Built: ${(await readdir(folder)).join(', ')}.`);
  }
  return [folder, dirname(cli), dirname(process.execPath), env['PATH']].join(':');
}

/** The version that the step builds. */
export function serverVersion(step: string): string {
  const versions = new Set([...step.matchAll(/@v([\d.]+)$/gm)].map(([, version]) => version));
  const [version] = versions;
  if (versions.size !== 1 || version === undefined)
    throw new Error(`the step builds the versions ${[...versions].join(', ')}`);
  return version;
}

async function exists(folder: string): Promise<boolean> {
  // A folder that an aborted rename left empty has no programs.
  const isThere = await access(join(folder, 'temporal-server')).then(
    () => true,
    () => false,
  );
  if (!isThere) await rm(folder, { recursive: true, force: true });
  return isThere;
}
