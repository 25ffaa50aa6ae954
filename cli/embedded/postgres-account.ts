import { stat } from 'node:fs/promises';
import { type Account, runCommand } from './run-command.js';

const USER = 'postgres';

/**
 * The account PostgreSQL runs as: undefined (our own) for an ordinary user; as root, which PostgreSQL refuses, whoever owns
 * the existing data, else the system's `postgres` user, which is made when there is none.
 */
export async function postgresAccount(
  dataDirectory: string | undefined,
  log: (line: string) => void,
): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = dataDirectory === undefined ? undefined : await ownerOf(dataDirectory);
  return owner ?? (await lookUp()) ?? (await create(log));
}

/** Data first made by an ordinary user stay that user's when root starts the service once. */
async function ownerOf(directory: string): Promise<Account | undefined> {
  const found = await stat(directory).catch(() => undefined);
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = [await runCommand('id', ['-u', USER]), await runCommand('id', ['-g', USER])];
    return { uid: Number(uid), gid: Number(gid) };
  } catch {
    return undefined;
  }
}

async function create(log: (line: string) => void): Promise<Account> {
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
      `PostgreSQL refuses to run as root, there is no user "${USER}" and none could be made. ` +
        'Start the service as an ordinary user, or make that user.',
      { cause: error },
    );
  }
  log(`PostgreSQL: made the system user "${USER}", because PostgreSQL refuses to run as root`);
  const made = await lookUp();
  if (made === undefined) throw new Error(`the user "${USER}" was made but is not found`);
  return made;
}
