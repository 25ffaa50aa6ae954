import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  endMessage,
  quietStartFlag,
  type ReadyMessage,
  startedMessage,
} from '../../platform/settings/lifetime.js';

export interface Supervised {
  /** The message of the process when it became ready for the first time. */
  readonly ready: Promise<string>;
  /** Everything is ready: the process no longer logs warnings and errors only. */
  started(): void;
  /**
   * Replaces the process with a new one, which loads the current code.
   * @param graceMs after which the old one is killed
   */
  restart(graceMs: number): void;
  /** Asks the process to end, and waits for its exit. @param graceMs after which it is killed; by default never */
  end(graceMs?: number): Promise<void>;
}

export interface SupervisedProcess {
  readonly name: string;
  readonly module: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

const restartAfterMs = 500;
/** After so many failed starts in a row, `ready` rejects if the process was never ready, and pauses are longer. */
const lastingFailures = 5;
const longRestartAfterMs = 5_000;

/**
 * Runs a process of the service, and restarts it when it dies; the new process resumes its work. It does so until
 * `end` is called; the process's own output says why it fails. Only its first start is quiet.
 */
export function supervise({ name, module, args = [], env, log }: SupervisedProcess): Supervised {
  let child: ChildProcess;
  let ending = false;
  let restarting = false;
  let failures = 0;
  let next: NodeJS.Timeout | undefined;
  const gone = new AbortController();
  let run: (args: readonly string[]) => void = () => undefined;
  const ready = new Promise<string>((resolve, reject) => {
    run = used => {
      clearTimeout(next);
      restarting = false;
      child = fork(module, used, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      child.on('message', (message: ReadyMessage) => {
        failures = 0;
        resolve(message.ready);
      });
      child.on('exit', (code, signal) => {
        if (ending) return gone.abort();
        if (restarting) return run(args);
        failures++;
        log(`${name} ended (${signal ?? code})`);
        const isLasting = failures >= lastingFailures;
        if (isLasting) reject(new Error(`${name} does not start; see above`));
        next = setTimeout(
          () => (ending ? gone.abort() : run(args)),
          isLasting ? longRestartAfterMs : restartAfterMs,
        );
      });
    };
    run([...args, quietStartFlag]);
  });
  return {
    ready,
    started: () => tellStarted(child),
    restart: graceMs => {
      if (ending || restarting) return;
      if (isGone(child)) return run(args);
      restarting = true;
      askToEnd(child, graceMs);
    },
    end: async graceMs => {
      ending = true;
      clearTimeout(next);
      if (isGone(child)) return;
      askToEnd(child, graceMs);
      await once(gone.signal, 'abort');
    },
  };
}

function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function tellStarted(child: ChildProcess): void {
  if (child.connected) child.send(startedMessage);
}

function askToEnd(child: ChildProcess, graceMs: number | undefined): void {
  // A process that is ending by itself takes no message.
  child.send(endMessage, () => undefined);
  if (graceMs === undefined) return;
  const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.once('exit', () => clearTimeout(late));
}
