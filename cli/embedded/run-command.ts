import { execFile } from 'node:child_process';

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
