import { basename, join } from 'node:path';
import { runTask } from './run-command.js';

export interface GoInstall {
  /** The program with its version: `example.com/cmd/program@v1.2.3`. */
  readonly module: string;
  /** An empty directory, to which the program and all temporary files are written. */
  readonly directory: string;
  /** The environment of this process: proxies, Go's settings, the home directory. */
  readonly env: NodeJS.ProcessEnv;
  readonly longestMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called with Go's version when the build starts. */
  readonly onStart?: (goVersion: string) => void;
  readonly onLine?: (line: string) => void;
}

/** Builds a program from its Go module. @returns its path. @throws Error if Go is not installed */
export async function goInstall(install: GoInstall): Promise<string> {
  const { module, directory, env, longestMs, signal, onStart, onLine } = install;
  const limit = AbortSignal.timeout(longestMs);
  const task = {
    command: 'go',
    cwd: directory,
    // GOTMPDIR: an aborted build leaves hundreds of MB, which are removed with the directory.
    env: { ...env, GOBIN: directory, GOTMPDIR: directory, GO111MODULE: 'on' },
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  };
  let version = '';
  await runTask({ ...task, args: ['version'], onLine: line => (version = line) }).catch((error: unknown) => {
    throw new Error('Go is not on the PATH', { cause: error });
  });
  onStart?.(version);
  await runTask({ ...task, args: ['install', '-v', module], onLine: onLine ?? (() => undefined) });
  return join(directory, basename(module.replace(/@.*$/, '')));
}
