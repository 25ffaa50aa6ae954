import { spawn } from 'node:child_process';
import { openChildLog } from './child-log.js';
import { type EndStep, endProcess } from './end-process.js';
import type { Account } from './run-command.js';

/** What to run as a service of ours. */
export interface ServiceOptions {
  /** How messages call it. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited, so that no provider key ends up in a server's memory. */
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly account?: Account | undefined;
  /** The signals that end it, mildest first. */
  readonly endSteps: readonly EndStep[];
}

/** A running server process. */
export interface Service {
  readonly pid: number;
  /** Resolves, never rejects, when the process ended, with a sentence on how it ended. */
  readonly exited: Promise<string>;
  /** How it ended, once it has. */
  ended(): string | undefined;
  /** An error that says how it ended or what went wrong, with the last lines of its log. */
  failure(what: string): Promise<Error>;
  lastLines(): Promise<string>;
  /** Sends the end signals until it is gone; asking twice is asking once. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server as the leader of a process group of its own. Ctrl-C reaches the whole group of the terminal: a server
 * inside it would be gone before the API and the worker have finished with it.
 */
export async function spawnService(options: ServiceOptions): Promise<Service> {
  const { name, command, args, cwd, env, logFile, account, endSteps } = options;
  const log = await openChildLog(logFile);
  const child = spawn(command, [...args], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    ...(account === undefined ? {} : account),
  });
  let ended: string | undefined;
  const exited = new Promise<string>(resolve => {
    child.once('error', error => resolve(`${name} could not be started (${error.message})`));
    child.once('exit', (code, signal) =>
      resolve(`${name} ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`),
    );
  }).then(how => {
    ended = how;
    return how;
  });
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw new Error(await exited);
  let stopping: Promise<void> | undefined;
  return {
    pid,
    exited,
    ended: () => ended,
    failure: async what => new Error(`${what}; the end of ${logFile}:\n${await log.lastLines()}`),
    lastLines: () => log.lastLines(),
    stop: () => {
      stopping ??= endProcess(pid, endSteps).then(async () => void (await exited));
      return stopping;
    },
  };
}
