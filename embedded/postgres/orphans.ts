import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EndStep, endProcess, findProcesses } from '../process/processes.js';

/**
 * Stops a PostgreSQL that a killed parent left running on this data directory, and clears the way for the next one.
 * Only the holder of the home's lock may call this.
 */
export async function stopPostgresOrphans(
  data: string,
  endSteps: readonly EndStep[],
  log: (line: string) => void,
): Promise<void> {
  // The server's own helper processes rename themselves and are not matched: stopping the server ends them.
  const isOurs = (line: string) => `${line} `.includes(`postgres -D ${data} `);
  for (const pid of await findProcesses(isOurs)) {
    log(`PostgreSQL: stopping process ${pid}, left over from a run that was killed`);
    await endProcess(pid, endSteps);
  }
  await removeMisleadingPidFile(join(data, 'postmaster.pid'));
}

/**
 * After a hard kill postmaster.pid remains. PostgreSQL copes when its pid is dead, but refuses to start when some other
 * process has got that number since (usual in containers, where the same few numbers come round again), or when the dead
 * server is still a zombie. None of ours is running, as was just seen; surviving backends are still found by PostgreSQL
 * itself through the shared memory it keys by the directory.
 */
async function removeMisleadingPidFile(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  if (pid > 0 && isTaken(pid)) await rm(path, { force: true });
}

function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
