import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from './processes.js';

/** An exclusive lock between processes, held until {@link FolderLock.release} or the end of the process. */
export interface FolderLock {
  release(): Promise<void>;
}

/**
 * Locks a folder, which is created if missing and contains nothing but claims.
 *
 * Each process that wants the lock creates a claim, which is a file with a unique name, and then looks for other
 * claims. Two processes that start at the same time may both see each other and back off, but never both see no other
 * claim, so there are never two holders. The claim of a process that has ended (kill -9, power cut) is ignored and
 * removed.
 *
 * @returns the lock, or the pid of the process that holds it
 */
export async function lockFolder(folder: string): Promise<FolderLock | { readonly heldBy: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const claim = await claimOfThisProcess();
  for (;;) {
    const holder = await findOther(folder, claim);
    if (holder !== undefined) return { heldBy: holder };
    await writeFile(join(folder, claim), '', { flag: 'wx', mode: 0o600 });
    if ((await findOther(folder, claim)) === undefined) break;
    await rm(join(folder, claim), { force: true });
    await delay(5 + Math.random() * 40); // random, or two processes could back off in step again and again
  }
  return { release: () => rm(join(folder, claim), { force: true }) };
}

/** The pid of a process that holds or wants the lock on a folder. Read-only: writes and removes nothing. */
export async function findHolderOf(folder: string): Promise<number | undefined> {
  for (const name of await readdir(folder).catch(() => [])) {
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
async function findOther(folder: string, claim: string): Promise<number | undefined> {
  let found: number | undefined;
  for (const name of await readdir(folder)) {
    if (name === claim) continue;
    const pid = await livingClaimant(name);
    if (pid === undefined) await rm(join(folder, name), { force: true });
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
