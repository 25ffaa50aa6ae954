import { type ChildProcess, fork } from 'node:child_process';
import { endMessage, type ReadyMessage } from '../../config/lifetime.js';

export interface Supervised {
  /** The message of the process when it became ready for the first time. */
  readonly ready: Promise<string>;
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
 * `end` is called; the process's own output says why it fails.
 */
export function supervise({ name, module, args = [], env, log }: SupervisedProcess): Supervised {
  let child: ChildProcess;
  let ending = false;
  let restarting = false;
  let failures = 0;
  let next: NodeJS.Timeout | undefined;
  let ended: () => void = () => undefined;
  const gone = new Promise<void>(resolve => {
    ended = resolve;
  });
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  let run: () => void = () => undefined;
  const ready = new Promise<string>((resolve, reject) => {
    run = () => {
      clearTimeout(next);
      restarting = false;
      child = fork(module, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      child.on('message', (message: ReadyMessage) => {
        failures = 0;
        resolve(message.ready);
      });
      child.on('exit', (code, signal) => {
        if (ending) return ended();
        if (restarting) return run();
        failures++;
        log(`${name} ended (${signal ?? code})`);
        const isLasting = failures >= lastingFailures;
        if (isLasting) reject(new Error(`${name} does not start; see above`));
        next = setTimeout(() => (ending ? ended() : run()), isLasting ? longRestartAfterMs : restartAfterMs);
      });
    };
    run();
  });
  return {
    ready,
    restart: graceMs => {
      if (ending || restarting) return;
      if (isGone()) return run();
      restarting = true;
      askToEnd(child, graceMs);
    },
    end: async graceMs => {
      ending = true;
      clearTimeout(next);
      if (isGone()) return;
      askToEnd(child, graceMs);
      await gone;
    },
  };
}

function askToEnd(child: ChildProcess, graceMs: number | undefined): void {
  child.send(endMessage);
  if (graceMs === undefined) return;
  const late = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.once('exit', () => clearTimeout(late));
}
