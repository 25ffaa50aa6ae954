import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from './process/processes.js';

/** The exclusive right to one COUNCIL_HOME, held until {@link HomeLock.release} or the end of the process. */
export interface HomeLock {
  readonly home: string;
  release(): Promise<void>;
}

/**
 * Takes the exclusive lock on a COUNCIL_HOME (made if missing), or refuses with an error that names the pid of its holder.
 *
 * Everyone who wants the lock announces itself with a file of its own, then looks for others. Two starters at once may
 * both see each other and step back, but can never both see nobody, so there are never two holders. A file whose process
 * is gone (kill -9, power cut), or whose pid now belongs to another process, counts for nothing and is swept away.
 */
export async function lockHome(home: string): Promise<HomeLock> {
  const path = resolve(home);
  const directory = join(path, 'lock');
  // Root's database runs as another user, who must be able to pass through; each secret inside is 0600 anyway.
  await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const mine = await announcementOfThisProcess();
  for (;;) {
    const holder = await findOther(directory, mine);
    if (holder !== undefined) throw new Error(refusal(path, holder));
    await writeFile(join(directory, mine), '', { flag: 'wx', mode: 0o600 });
    if ((await findOther(directory, mine)) === undefined) break;
    await rm(join(directory, mine), { force: true });
    await delay(5 + Math.random() * 40); // by chance, or the two would step back in step for ever
  }
  return { home: path, release: () => rm(join(directory, mine), { force: true }) };
}

/** The pid of whoever holds or wants the lock on a home, for who only asks: nothing is written or swept away. */
export async function findHolder(home: string): Promise<number | undefined> {
  const names = await readdir(join(resolve(home), 'lock')).catch(() => []);
  for (const name of names) {
    const pid = await livingAnnouncer(name);
    if (pid !== undefined) return pid;
  }
  return undefined;
}

/** A file name that says it all, because making an empty file is one indivisible act and filling it is another. */
async function announcementOfThisProcess(): Promise<string> {
  const identity = await identifyProcess(process.pid);
  if (identity === undefined)
    throw new Error('this system tells neither by /proc nor by ps when a process started');
  return [process.pid, encodeURIComponent(identity), randomUUID()].join('~');
}

/** The pid of another live announcer; announcements of the dead are removed on the way. */
async function findOther(directory: string, mine: string): Promise<number | undefined> {
  let found: number | undefined;
  for (const name of await readdir(directory)) {
    if (name === mine) continue;
    const pid = await livingAnnouncer(name);
    if (pid === undefined) await rm(join(directory, name), { force: true });
    else found = pid;
  }
  return found;
}

/** The pid in a file's name, if the very process that made the file is still alive. */
async function livingAnnouncer(name: string): Promise<number | undefined> {
  const [pid = '', identity] = name.split('~');
  const living = await identifyProcess(Number(pid));
  return living !== undefined && encodeURIComponent(living) === identity ? Number(pid) : undefined;
}

function refusal(home: string, pid: number): string {
  return (
    `COUNCIL_HOME ${home} is already in use by process ${pid}. ` +
    'Stop that process first, or set COUNCIL_HOME to another directory.'
  );
}
