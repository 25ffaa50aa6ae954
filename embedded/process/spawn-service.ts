import { spawn } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type EndStep, endProcess } from './processes.js';
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

const MAX_BYTES = 10 * 1024 * 1024;
/** Holds the words before a stack trace of a hundred calls. */
const TAIL_BYTES = 64 * 1024;

/** From the line that names the goroutine to the empty line after its calls. */
const STACK_TRACE = /^goroutine \d+ \[[^]*?(?:\n\n|$(?![^]))/gm;

/** The file a child writes its output to. */
export interface ChildLog {
  readonly path: string;
  readonly fd: number;
  /**
   * The last lines written since this log was opened: what an earlier run wrote explains nothing. Go's stack traces are
   * left out: what a server died of stands before them, and would be lost behind a hundred lines of calls.
   */
  lastLines(count?: number): Promise<string>;
  /** Closes our end; the child keeps its own. */
  close(): Promise<void>;
}

/** Opens a log for appending; one that has outgrown its bound is moved aside first, and one old log is kept. */
export async function openChildLog(path: string): Promise<ChildLog> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if ((await sizeOf(path)) > MAX_BYTES) await rename(path, `${path}.1`);
  const begin = await sizeOf(path);
  const handle = await open(path, 'a', 0o600);
  return {
    path,
    fd: handle.fd,
    lastLines: async (count = 12) => {
      const text = (await readTail(path, begin)).replaceAll(STACK_TRACE, '');
      return text.trim().split('\n').slice(-count).join('\n');
    },
    close: () => handle.close(),
  };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}

async function readTail(path: string, begin: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(begin, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
