import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../process/processes.js';
import { runCommand, type SystemUser } from '../process/run-command.js';

const RECORD = 'postgres.json';

const recordShape = z.strictObject({
  /** The folder of the database, relative to COUNCIL_HOME if possible, so that a home can be moved. */
  directory: z.string().min(1),
  password: z.string().min(16),
  /** Set once the data exist: from then on missing data are an error, and never replaced silently. */
  initialised: z.boolean(),
});

type PlaceRecord = z.infer<typeof recordShape>;

/** The folder, the system user and the password of the database of one COUNCIL_HOME. */
export interface PostgresPlace {
  /** Accessible to the account only; contains `data` and the files for creating it. */
  readonly directory: string;
  readonly account: SystemUser | undefined;
  readonly password: string;
  readonly initialised: boolean;
  markInitialised(): Promise<void>;
}

export interface PlaceOptions {
  readonly home: string;
  /** The parent folder for the data if the database user of root cannot access COUNCIL_HOME. Not a temporary folder. */
  readonly elsewhere: string;
  readonly log: (line: string) => void;
}

/** Reads the place of the database from `postgres.json` (0600), or chooses it once and writes that file. */
export async function placePostgres({ home, elsewhere, log }: PlaceOptions): Promise<PostgresPlace> {
  const known = await readRecord(home);
  const account = await postgresAccount(known && resolve(home, known.directory), log);
  const record = known ?? {
    directory: await chooseDirectory(home, elsewhere, account, log),
    password: randomBytes(24).toString('hex'),
    initialised: false,
  };
  if (known === undefined) await writeRecord(home, record);
  const directory = resolve(home, record.directory);
  if (!record.initialised) await makeDirectory(directory, account);
  return {
    directory,
    account,
    password: record.password,
    initialised: record.initialised,
    markInitialised: () => writeRecord(home, { ...record, initialised: true }),
  };
}

async function chooseDirectory(
  home: string,
  elsewhere: string,
  account: SystemUser | undefined,
  log: (line: string) => void,
): Promise<string> {
  const inHome = join(home, 'postgres');
  await makeDirectory(inHome, account);
  if (await isUsable(inHome, account)) return 'postgres';
  await rmdir(inHome).catch(() => undefined);
  await mkdir(elsewhere, { recursive: true, mode: 0o711 });
  const outside = await mkdtemp(join(elsewhere, 'postgres-'));
  await makeDirectory(outside, account);
  if (await isUsable(outside, account)) {
    log(`PostgreSQL: its user cannot access ${home}, so the database is stored in ${outside}`);
    return outside;
  }
  await rmdir(outside);
  throw new Error(
    `PostgreSQL runs as user ${account?.uid ?? process.getuid?.()}, which can access neither ${home} nor ${elsewhere}. ` +
      'Set COUNCIL_HOME to a folder whose parent folders every user can enter.',
  );
}

async function makeDirectory(directory: string, account: SystemUser | undefined): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (account !== undefined) await chown(directory, account.uid, account.gid);
}

/** Tries it as that user: mode bits do not show access lists and security modules. */
async function isUsable(directory: string, account: SystemUser | undefined): Promise<boolean> {
  const script = 'test -w "$1" && test -x "$1"';
  return runCommand('sh', ['-c', script, 'sh', directory], { account }).then(
    () => true,
    () => false,
  );
}

async function readRecord(home: string): Promise<PlaceRecord | undefined> {
  const path = join(home, RECORD);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return recordShape.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(
      `${path} is damaged. It contains the password of the database: restore it from a backup`,
      {
        cause: error,
      },
    );
  }
}

/** Writes to a temporary name and renames, so that a power cut leaves either the old record or the new one. */
async function writeRecord(home: string, record: PlaceRecord): Promise<void> {
  const partial = join(home, `${RECORD}.partial`);
  await rm(partial, { force: true });
  await writeFile(partial, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(partial, join(home, RECORD));
}

const USER = 'postgres';

/**
 * The account that PostgreSQL runs as; undefined for the user of this process. PostgreSQL does not run as root: then it
 * is the owner of the existing data, else the system user `postgres`, which is created if missing.
 */
async function postgresAccount(
  dataDirectory: string | undefined,
  log: (line: string) => void,
): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = dataDirectory === undefined ? undefined : await ownerOf(dataDirectory);
  return owner ?? (await lookUp()) ?? (await create(log));
}

/** Data that an ordinary user created still belong to that user when root starts the service. */
async function ownerOf(directory: string): Promise<SystemUser | undefined> {
  const found = await stat(directory).catch(() => undefined);
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

async function lookUp(): Promise<SystemUser | undefined> {
  try {
    const [uid, gid] = [await runCommand('id', ['-u', USER]), await runCommand('id', ['-g', USER])];
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

async function create(log: (line: string) => void): Promise<SystemUser> {
  try {
    await runCommand('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/bin/false',
      USER,
    ]);
  } catch (error) {
    throw new Error(
      `PostgreSQL refuses to run as root, and the system user "${USER}" could not be created. ` +
        'Start the service as an ordinary user, or create that user.',
      { cause: error },
    );
  }
  log(`PostgreSQL: created the system user "${USER}", because PostgreSQL does not run as root`);
  const created = await lookUp();
  if (created === undefined) throw new Error(`the user "${USER}" was created but is not found`);
  return created;
}
