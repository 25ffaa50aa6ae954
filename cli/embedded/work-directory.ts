import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identifyProcess } from './process-identity.js';

const PREFIX = '.work-';

/**
 * Lends a private directory inside the given one, on the same file system so that its files can be renamed into place,
 * and removes it afterwards. Those of processes that were killed are removed on the way: each may hold hundreds of MB.
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
