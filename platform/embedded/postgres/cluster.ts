import { access, chown, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTask } from '../process/run-command.js';
import type { PostgresPlace } from './place.js';

const WORK = 'initialising-';
const LONGEST_MS = 180_000;

/**
 * Creates the database cluster on the first start. It is created under a temporary name and renamed when complete, so
 * that the remains of an interrupted initdb are never used.
 * @returns the data directory
 */
export async function ensureCluster(
  place: PostgresPlace,
  initdb: string,
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> {
  const data = join(place.directory, 'data');
  const exists = await access(join(data, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
  if (!exists && place.initialised) throw new Error(missingData(data));
  await removeLeftovers(place.directory);
  if (!exists) {
    log(`PostgreSQL: first start, creating the database in ${data}`);
    await createCluster(place, initdb, data, signal);
  }
  if (!place.initialised) await place.markInitialised();
  return data;
}

async function createCluster(
  place: PostgresPlace,
  initdb: string,
  data: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const work = await mkdtemp(join(place.directory, WORK));
  try {
    await runInitdb(place, initdb, work, signal);
    await rm(data, { recursive: true, force: true });
    await rename(join(work, 'data'), data);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function runInitdb(
  { account, password }: PostgresPlace,
  initdb: string,
  work: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const passwordFile = join(work, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account !== undefined) {
    await chown(work, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  // PostgreSQL's own collation sorts the same on every machine, and requires no installed locale.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const limit = AbortSignal.timeout(LONGEST_MS);
  await runTask({
    command: initdb,
    args: [`--pgdata=${join(work, 'data')}`, ...access, ...locale, '--no-instructions'],
    cwd: work,
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    account,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    onLine: () => undefined,
  });
}

/** Removes what interrupted attempts left. What an orphaned initdb still writes to is removed by the next start. */
async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(WORK)) {
      await rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

function missingData(data: string): string {
  return (
    `the database of this COUNCIL_HOME is gone: ${data} does not contain it. ` +
    'Restore it from a backup. Or, to start with an empty database, remove postgres.json from COUNCIL_HOME.'
  );
}
