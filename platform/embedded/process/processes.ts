import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from './run-command.js';

/**
 * Identifies a process by its start time and the boot of the machine. A pid alone is not enough: after a crash the same
 * number soon belongs to another process.
 * @returns undefined when no such process runs; a zombie does not count
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
  // The second field is the program's name in brackets, which may contain spaces and brackets.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  const boot = await readUnlessGone('/proc/sys/kernel/random/boot_id');
  return `${boot.trim()}-${fields[18] ?? ''}`;
}

/**
 * Only "no such process" means that it ended: any other error, such as "too many open files", must not break a lock.
 */
async function readUnlessGone(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return '';
    throw error;
  }
}

async function identifyFromPs(pid: number): Promise<string | undefined> {
  // The time is in UTC, because a lock must survive a change of local time. All pids are listed, because ps fails in
  // the same way for a missing pid as for other reasons.
  const output = await runCommand('ps', ['-axo', 'pid=,stat=,lstart='], { env: { TZ: 'UTC' } });
  const columns = output.split('\n').map(line => line.trim().split(/\s+/));
  const [, state, ...started] = columns.find(([first]) => first === String(pid)) ?? [];
  if (state === undefined || state.startsWith('Z')) return undefined;
  return started.join('-');
}

/** One attempt to end a process: the signal, and how long to wait for the exit. */
export interface EndStep {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** Sends the signals in turn until the process has ended. Never signals another process that got the same pid. */
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

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly intervalMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Polls until `check` returns a value; undefined after the time-out. Throws when the signal is aborted. */
export async function waitUntil<T>(
  check: () => Promise<T | undefined>,
  options: WaitOptions,
): Promise<T | undefined> {
  const { timeoutMs, intervalMs = 25, signal } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    signal?.throwIfAborted();
    const value = await check();
    if (value !== undefined) return value;
    if (performance.now() >= deadline) return undefined;
    await delay(intervalMs);
  }
}

/**
 * The pids of all processes whose command line (arguments joined by spaces) matches.
 *
 * Unlike a pid file, this also finds a child whose parent was killed before it could write the file, and it never
 * mistakes a recycled pid for one of our servers.
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

/** The system's code of an error (`ENOENT`, `ESRCH`…). No `instanceof`: errors in Jest come from another realm. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
