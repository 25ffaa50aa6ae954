import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The user that a command runs as, if not the user of this process. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export interface CommandOptions {
  /** The whole environment of the command. Nothing is inherited, so that it gets no secrets of the service. */
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: SystemUser | undefined;
  readonly timeoutMs?: number;
}

/** Runs a command and returns its output. The error of a failed command contains the end of its error output. */
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
        // Another user may not be able to enter our working directory, and some programs require one.
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
  const tail = stderr.trim().split('\n').slice(-8).join('\n');
  const what = error.killed === true ? 'timed out' : 'failed';
  return `${command} ${what}: ${tail === '' ? error.message : tail}`;
}

/** How long an aborted command may take to clean up. */
const CLEAN_UP_MS = 3_000;

export interface TaskOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly account?: SystemUser | undefined;
  /** Ends the command and everything it started. */
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/**
 * Runs a long command and passes on its output line by line. It runs in its own process group, so that aborting it also
 * ends the processes it started, such as compilers.
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
  let killTimer: NodeJS.Timeout | undefined;
  const abort = () => {
    signalGroup(child.pid, 'SIGTERM');
    killTimer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), CLEAN_UP_MS);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    const failure = await new Promise<string | undefined>((resolve, reject) => {
      child.once('error', reject);
      // The event 'exit' is too early: the output closes only when every process of the group has ended.
      child.once('close', (code, signal) =>
        resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`),
      );
    });
    signal.throwIfAborted();
    if (failure !== undefined) throw new Error(`${command} ${failure}: ${lines.join('\n')}`);
  } finally {
    signal.removeEventListener('abort', abort);
    clearTimeout(killTimer);
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
