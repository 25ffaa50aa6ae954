import { type ChildProcess, fork } from 'node:child_process';
import { endMessage, type ReadyMessage } from '../../config/lifetime.js';

export interface Supervised {
  /** The message of the process when it became ready for the first time. */
  readonly ready: Promise<string>;
  /** Asks the process to end, and waits for its exit. */
  end(): Promise<void>;
}

export interface SupervisedProcess {
  readonly name: string;
  readonly module: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: (line: string) => void;
}

const restartAfterMs = 500;
/** After so many failed starts in a row the process is given up. */
const failuresInARowMax = 5;

/**
 * Runs a process of the service, and restarts it when it dies; the new process resumes its work. A process that never
 * becomes ready is given up; its own output says why.
 */
export function supervise({ name, module, args = [], env, log }: SupervisedProcess): Supervised {
  let child: ChildProcess;
  let ending = false;
  let failures = 0;
  let ended: () => void = () => undefined;
  const gone = new Promise<void>(resolve => {
    ended = resolve;
  });
  const ready = new Promise<string>((resolve, reject) => {
    const run = () => {
      child = fork(module, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      child.on('message', (message: ReadyMessage) => {
        failures = 0;
        resolve(message.ready);
      });
      child.on('exit', (code, signal) => {
        if (ending) return ended();
        failures++;
        log(`${name} ended (${signal ?? code})`);
        if (failures >= failuresInARowMax) return reject(new Error(`${name} does not start; see above`));
        setTimeout(() => (ending ? ended() : run()), restartAfterMs);
      });
    };
    run();
  });
  return {
    ready,
    end: async () => {
      ending = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.send(endMessage);
      await gone;
    },
  };
}
