import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from './process/processes.js';

/** An exclusive lock on a COUNCIL_HOME, held until {@link HomeLock.release} or the end of the process. */
export interface HomeLock {
  readonly home: string;
  release(): Promise<void>;
}

/**
 * Locks a COUNCIL_HOME, which is created if missing.
 *
 * Each process that wants the lock creates a claim, which is a file with a unique name, and then looks for other
 * claims. Two processes that start at the same time may both see each other and back off, but never both see no other
 * claim, so there are never two holders. The claim of a process that has ended (kill -9, power cut) is ignored and
 * removed.
 *
 * @throws Error that names the process which holds the lock
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const path = resolve(home);
  const directory = join(path, 'lock');
  // As root, the database runs as another user, who must be able to enter the folder. Secrets in it are 0600 anyway.
  await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const claim = await claimOfThisProcess();
  for (;;) {
    const holder = await findOther(directory, claim);
    if (holder !== undefined) throw new Error(refusal(path, holder));
    await writeFile(join(directory, claim), '', { flag: 'wx', mode: 0o600 });
    if ((await findOther(directory, claim)) === undefined) break;
    await rm(join(directory, claim), { force: true });
    await delay(5 + Math.random() * 40); // random, or two processes could back off in step again and again
  }
  return { home: path, release: () => rm(join(directory, claim), { force: true }) };
}

/** The pid of a process that holds or wants the lock on a home. Read-only: writes and removes nothing. */
export async function findHolder(home: string): Promise<number | undefined> {
  const names = await readdir(join(resolve(home), 'lock')).catch(() => []);
  for (const name of names) {
    const pid = await livingClaimant(name);
    if (pid !== undefined) return pid;
  }
  return undefined;
}

/** Everything is in the file name, because creating an empty file is atomic and writing to it is not. */
async function claimOfThisProcess(): Promise<string> {
  const identity = await identifyProcess(process.pid);
  if (identity === undefined)
    throw new Error('cannot read the start time of processes, neither from /proc nor with ps');
  return [process.pid, encodeURIComponent(identity), randomUUID()].join('~');
}

/** The pid of another process with a claim. Removes the claims of processes that have ended. */
async function findOther(directory: string, claim: string): Promise<number | undefined> {
  let found: number | undefined;
  for (const name of await readdir(directory)) {
    if (name === claim) continue;
    const pid = await livingClaimant(name);
    if (pid === undefined) await rm(join(directory, name), { force: true });
    else found = pid;
  }
  return found;
}

/** The pid in the name of a claim, if the process that created it still runs. */
async function livingClaimant(name: string): Promise<number | undefined> {
  const [pid = '', identity] = name.split('~');
  const living = await identifyProcess(Number(pid));
  return living !== undefined && encodeURIComponent(living) === identity ? Number(pid) : undefined;
}

function refusal(home: string, pid: number): string {
  return (
    `COUNCIL_HOME ${home} is already in use by process ${pid}. ` +
    'Stop that process first, or set COUNCIL_HOME to another folder.'
  );
}
