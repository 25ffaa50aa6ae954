import { access, chown, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { runTask } from '../process/run-command.js';
import type { PostgresPlace } from './place.js';

const WORK = 'initialising-';
const LONGEST_MS = 180_000;

/**
 * Answers the data directory of the place, making it first if this is the first start.
 *
 * It is made under another name and renamed when whole: initdb killed half-way leaves something that is never taken for
 * a database, and a forgotten initdb still at work in there disturbs nobody.
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
  if (!exists && place.initialised) throw new Error(lost(data));
  await sweep(place.directory);
  if (!exists) {
    log(`PostgreSQL: first start, making the database in ${data}`);
    await makeCluster(place, initdb, data, signal);
  }
  if (!place.initialised) await place.markInitialised();
  return data;
}

async function makeCluster(
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
  // PostgreSQL's own collation sorts alike on every machine, and needs no locale to be installed.
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

/** Remains of interrupted attempts. One that an orphaned initdb still fills may resist: the next start takes it away. */
async function sweep(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (name.startsWith(WORK)) {
      await rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

function lost(data: string): string {
  return (
    `the database that belongs to this COUNCIL_HOME is gone: there is none in ${data}. ` +
    'Restore it from a backup; or, to begin with an empty one, remove postgres.json from COUNCIL_HOME.'
  );
}

/** The role and the database of the service; not a superuser, so that a flaw in a query never reaches the machine. */
const NAME = 'council';

/** How to reach the server as its superuser. */
export interface ServerAddress {
  readonly port: number;
  readonly password: string;
  readonly data: string;
}

/**
 * Makes the service's role and database where missing, and answers the database's URL. Throws while the server does not
 * accept connections yet, and when another server than ours answers on the port.
 */
export async function ensureDatabase({ port, password, data }: ServerAddress): Promise<string> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 3_000,
    query_timeout: 30_000,
    application_name: 'council-start',
  });
  // A connection lost between two queries is told by an event, which would otherwise end the whole process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const shown = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (shown.rows[0]?.data_directory !== data) throw new Error(`another PostgreSQL answers on port ${port}`);
    await makeMissing(client, password);
  } finally {
    await client.end().catch(() => undefined);
  }
  return `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;
}

/** Each step is checked by itself: a first start may have been killed between them. */
async function makeMissing(client: Client, password: string): Promise<void> {
  const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [NAME]);
  if (role.rowCount === 0) {
    await client.query(`CREATE ROLE ${NAME} LOGIN CREATEDB PASSWORD ${client.escapeLiteral(password)}`);
  }
  const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [NAME]);
  if (database.rowCount === 0) await client.query(`CREATE DATABASE ${NAME} OWNER ${NAME}`);
}
