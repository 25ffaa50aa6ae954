import { readdir, readFile } from 'node:fs/promises';
import { runCommand } from './run-command.js';
import { waitUntil } from './wait-until.js';

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

/** One attempt at ending a process: the signal, and how long it is given to obey. */
export interface EndStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** Sends each signal in turn until the process is gone; it is never signalled again once its pid means another process. */
export async function endProcess(pid: number, steps: readonly EndStep[]): Promise<void> {
  const identity = await identifyProcess(pid);
  if (identity === undefined) return;
  for (const { signal, waitMs } of steps) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((await identifyProcess(pid)) !== identity) return;
      throw new Error(`process ${pid} could not be stopped`, { cause: error });
    }
    const gone = async () => ((await identifyProcess(pid)) === identity ? undefined : true);
    if ((await waitUntil(gone, { timeoutMs: waitMs })) === true) return;
  }
  throw new Error(`process ${pid} did not end after ${steps.map(step => step.signal).join(', ')}`);
}

/**
 * The pids of all processes whose command line (arguments joined by blanks) satisfies the test.
 *
 * Looking at command lines finds what a pid file would miss: a parent killed between starting its child and writing the
 * file. And it never mistakes a recycled pid for a server of ours.
 */
export async function findProcesses(
  matches: (commandLine: string) => boolean,
  platform: NodeJS.Platform = process.platform,
): Promise<number[]> {
  const processes = platform === 'linux' ? await listFromProc() : await listFromPs();
  return processes.filter(([, commandLine]) => matches(commandLine)).map(([pid]) => pid);
}

async function listFromProc(): Promise<[number, string][]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid): Promise<[number, string]> => {
      // A process may end between being listed and being read.
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return [Number(pid), raw.split('\0').join(' ').trim()];
    }),
  );
}

async function listFromPs(): Promise<[number, string][]> {
  const output = await runCommand('ps', ['-axww', '-o', 'pid=,command=']);
  return output.split('\n').map((line): [number, string] => {
    const [, pid = '0', commandLine = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return [Number(pid), commandLine.trim()];
  });
}

/** The system's code of an error (`ENOENT`, `ESRCH`…). Asked by shape, because a test runner's errors are of another realm. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
