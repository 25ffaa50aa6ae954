import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FolderLock, findHolderOf, lockFolder } from './process/folder-lock.js';

/** An exclusive lock on a COUNCIL_HOME, held until {@link FolderLock.release} or the end of the process. */
export interface HomeLock extends FolderLock {
  readonly home: string;
}

/**
 * Locks a COUNCIL_HOME, which is created if missing.
 * @throws Error that names the process which holds the lock
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const path = resolve(home);
  // As root, the database runs as another user, who must be able to enter the folder. Secrets in it are 0600 anyway.
  await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const lock = await lockFolder(lockOf(path));
  if ('heldBy' in lock) throw new Error(refusal(path, lock.heldBy));
  return { home: path, ...lock };
}

/** The pid of a process that holds or wants the lock on a home. Read-only: writes and removes nothing. */
export function findHolder(home: string): Promise<number | undefined> {
  return findHolderOf(lockOf(resolve(home)));
}

function lockOf(home: string): string {
  return join(home, 'lock');
}

function refusal(home: string, pid: number): string {
  return (
    `COUNCIL_HOME ${home} is already in use by process ${pid}. ` +
    'Stop that process first, or set COUNCIL_HOME to another folder.'
  );
}
