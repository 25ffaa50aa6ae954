import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { identifyProcess } from './processes.js';

/** Programs that were downloaded or built stay in the cache folder of the user, by name and version. */
export function binaryCacheDir(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  return join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'council-report-service');
}

const PREFIX = '.work-';

/**
 * Creates a temporary directory inside `parent`, so that its files can be renamed into place there, and removes it
 * afterwards. Also removes the directories of killed processes, which may contain hundreds of MB each.
 */
export async function withWorkDirectory<T>(
  parent: string,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) {
    const [, pid] = /^\.work-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && (await identifyProcess(Number(pid))) === undefined) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
  const directory = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
