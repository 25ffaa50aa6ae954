import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The user a command runs as, where that is not the user of this process. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** How {@link runCommand} runs a command. */
export interface CommandOptions {
  /** The whole environment of the command: nothing is inherited, so that no secret of ours leaks into it. */
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: Account | undefined;
  readonly timeoutMs?: number;
}

/** Runs a command to its end and answers what it printed; an error carries the command's own last words. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { env = {}, account, timeoutMs = 60_000 } = options;
  return new Promise((resolve, reject) => {
    execFile(
      command,
      [...args],
      {
        // Another user may be unable to enter our working directory, and some programs refuse to run without one.
        cwd: '/',
        env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', ...env },
        timeout: timeoutMs,
        maxBuffer: 16 * 1024 * 1024,
        ...(account === undefined ? {} : account),
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(explain(command, error, stderr), { cause: error }));
      },
    );
  });
}

function explain(command: string, error: Error & { killed?: boolean }, stderr: string): string {
  const words = stderr.trim().split('\n').slice(-8).join('\n');
  const what = error.killed === true ? 'was stopped before it ended' : 'failed';
  return `${command} ${what}: ${words === '' ? error.message : words}`;
}

/** How long an aborted job may take to clean up after itself. */
const OBEY_MS = 3_000;

/** A long job of another program. */
export interface TaskOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly account?: Account | undefined;
  /** Ends the job and everything it started. */
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/**
 * Runs a job to its end, telling its output line by line. It leads a process group of its own, so that aborting it also
 * ends what it started (compilers, a server on trial) instead of leaving that behind.
 */
export async function runTask(options: TaskOptions): Promise<void> {
  const { command, args, cwd, env, account, signal, onLine } = options;
  signal.throwIfAborted();
  const child = spawn(command, [...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(account === undefined ? {} : account),
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', line => {
      lines.push(line);
      if (lines.length > 12) lines.shift();
      onLine(line);
    });
  }
  let lastResort: NodeJS.Timeout | undefined;
  const end = () => {
    signalGroup(child.pid, 'SIGTERM');
    lastResort = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), OBEY_MS);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const how = await new Promise<string | undefined>((resolve, reject) => {
      child.once('error', reject);
      // Not 'exit': the output closes when everything the job started is gone as well.
      child.once('close', (code, by) =>
        resolve(code === 0 ? undefined : `ended with ${by ?? `exit code ${code}`}`),
      );
    });
    signal.throwIfAborted();
    if (how !== undefined) throw new Error(`${command} ${how}: ${lines.join('\n')}`);
  } finally {
    signal.removeEventListener('abort', end);
    clearTimeout(lastResort);
  }
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The whole group has ended already.
  }
}
