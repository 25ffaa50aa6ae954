import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EndStep, endProcess, findProcesses } from '../process/processes.js';

/**
 * Stops a PostgreSQL server that a killed service left running on this data directory. The caller must hold the lock of
 * the home.
 */
export async function stopPostgresOrphans(
  data: string,
  endSteps: readonly EndStep[],
  log: (line: string) => void,
): Promise<void> {
  // The helper processes of the server have other names and do not match: they end with the server.
  const isOurs = (line: string) => `${line} `.includes(`postgres -D ${data} `);
  for (const pid of await findProcesses(isOurs)) {
    log(`PostgreSQL: stopping process ${pid}, left over from a run that was killed`);
    await endProcess(pid, endSteps);
  }
  await removeStalePidFile(join(data, 'postmaster.pid'));
}

/**
 * After a hard kill postmaster.pid remains. PostgreSQL ignores it when its pid is unused, but does not start when
 * another process has that pid now (common in containers, where pids are low) or when the dead server is still a
 * zombie. The server itself is known to be stopped here. PostgreSQL finds surviving backends through its shared memory.
 */
async function removeStalePidFile(path: string): Promise<void> {
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
