import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code.js';
import { runCommand } from './run-command.js';

/**
 * What tells this life of a pid from the next one: when the process started, and since which boot that counts.
 * Answers undefined when no such process lives; a zombie is dead, it only waits for its parent to notice.
 * A bare pid would not do: after a crash the same number soon belongs to a process that has nothing to do with us.
 */
export function identifyProcess(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  return platform === 'linux' ? identifyFromProc(pid) : identifyFromPs(pid);
}

async function identifyFromProc(pid: number): Promise<string | undefined> {
  const stat = await readUnlessGone(`/proc/${pid}/stat`);
  if (stat === '') return undefined;
  // The second field is the program's name in brackets and may itself hold blanks and brackets.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const boot = await readUnlessGone('/proc/sys/kernel/random/boot_id');
  return `${boot.trim()}-${fields[18] ?? ''}`;
}

/** Only "no such process" means dead: taking "too many open files" for it would break a living holder's lock. */
async function readUnlessGone(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return '';
    throw error;
  }
}

async function identifyFromPs(pid: number): Promise<string | undefined> {
  // In UTC, because local time jumps twice a year and a lock must not be lost over it. All pids are listed, because
  // asking for a missing one looks the same as ps failing.
  const output = await runCommand('ps', ['-axo', 'pid=,stat=,lstart='], { env: { TZ: 'UTC' } });
  const columns = output.split('\n').map(line => line.trim().split(/\s+/));
  const [, state, ...started] = columns.find(([first]) => first === String(pid)) ?? [];
  if (state === undefined || state.startsWith('Z')) return undefined;
  return started.join('-');
}
