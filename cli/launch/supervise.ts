import { type ChildProcess, fork } from 'node:child_process';
import { endMessage, type ReadyMessage } from '../../config/lifetime.js';

export interface Supervised {
  /** What the process said when it became ready the first time. */
  readonly ready: Promise<string>;
  /**
   * Replaces the process with a new one, which loads the current code.
   * @param graceMs after which the old one is killed
   */
  restart(graceMs: number): void;
  /** Asks it to end, and waits until it has. @param graceMs after which it is killed; by default never */
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
/** A process that does not come up this often in a row will not come up at all. */
const failuresInARowMax = 5;

/**
 * Runs a process of the service and starts it again when it dies: what it was doing is picked up by its
 * successor. One that never becomes ready is given up, with its own last words on standard error.
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
        if (failures >= failuresInARowMax) return reject(new Error(`${name} does not come up; see above`));
        next = setTimeout(() => (ending ? ended() : run()), restartAfterMs);
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
