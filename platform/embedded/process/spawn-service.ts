import { spawn } from 'node:child_process';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type EndStep, endProcess } from './processes.js';
import type { SystemUser } from './run-command.js';

export interface ServiceOptions {
  /** The name that messages show. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing is inherited, so that the server gets no provider keys. */
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
  readonly account?: SystemUser | undefined;
  /** The signals that end it, the mildest first. */
  readonly endSteps: readonly EndStep[];
}

/** A running server process. */
export interface Service {
  readonly pid: number;
  /** Resolves with a sentence when the process has ended. Never rejects. */
  readonly exited: Promise<string>;
  /** The same sentence, once the process has ended. */
  ended(): string | undefined;
  /** An error with the given message and the last lines of the log. */
  failure(message: string): Promise<Error>;
  lastLines(): Promise<string>;
  /** Sends the end signals until the process has ended. Can be called repeatedly. */
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server in its own process group. Ctrl-C reaches the whole group of the terminal: a server in it would end
 * before the API and the worker have finished.
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
  }).then(sentence => {
    ended = sentence;
    return sentence;
  });
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw new Error(await exited);
  let stopping: Promise<void> | undefined;
  return {
    pid,
    exited,
    ended: () => ended,
    failure: async message => new Error(`${message}; the end of ${logFile}:\n${await log.lastLines()}`),
    lastLines: () => log.lastLines(),
    stop: () => {
      stopping ??= endProcess(pid, endSteps).then(async () => void (await exited));
      return stopping;
    },
  };
}

const MAX_BYTES = 10 * 1024 * 1024;
/** Enough for the message before a stack trace of a hundred calls. */
const TAIL_BYTES = 64 * 1024;

/** Matches from the line with the goroutine to the empty line after its calls. */
const STACK_TRACE = /^goroutine \d+ \[[^]*?(?:\n\n|$(?![^]))/gm;

/** The file that a child writes its output to. */
export interface ChildLog {
  readonly path: string;
  readonly fd: number;
  /**
   * The last lines since this log was opened, without those of earlier runs. Go's stack traces are left out: the reason
   * of a crash comes before them, and would be lost behind a hundred lines of calls.
   */
  lastLines(count?: number): Promise<string>;
  /** Closes the file in this process; the child keeps it open. */
  close(): Promise<void>;
}

/** Opens a log for appending. A log above the size limit is renamed first, and replaces the previous old log. */
export async function openChildLog(path: string): Promise<ChildLog> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if ((await sizeOf(path)) > MAX_BYTES) await rename(path, `${path}.1`);
  const startOffset = await sizeOf(path);
  const handle = await open(path, 'a', 0o600);
  return {
    path,
    fd: handle.fd,
    lastLines: async (count = 12) => {
      const text = (await readTail(path, startOffset)).replaceAll(STACK_TRACE, '');
      return text.trim().split('\n').slice(-count).join('\n');
    },
    close: () => handle.close(),
  };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}

async function readTail(path: string, startOffset: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(startOffset, size - TAIL_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
