import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endMessage, type ReadyMessage } from '../../../platform/settings/lifetime.js';
import { projectFiles } from '../../../platform/settings/project-files.js';

export interface RunningProcess {
  readonly pid: number;
  /** The content of its ready message. */
  readonly ready: string;
  /** Stops the process and waits until it has ended. */
  readonly stop: () => Promise<void>;
  /** Sends a message and resolves with the next message from the process. */
  readonly request: (message: object) => Promise<unknown>;
}

interface ProcessToRun {
  /** Path below `dist/` without extension. */
  readonly module: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Folder of its log file. */
  readonly logFolder: string;
}

/** Runs a process like the supervisor of `npm start`, but does not restart it. */
export async function runProcess({
  module,
  args = [],
  env,
  logFolder,
}: ProcessToRun): Promise<RunningProcess> {
  const logFile = join(logFolder, `${module.replaceAll('/', '-')}.log`);
  const log = openSync(logFile, 'a');
  const child = fork(join(projectFiles.root, 'dist', `${module}.js`), args, {
    env,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const died = once(child, 'exit').then(() => {
    throw new Error(`${module} ended unexpectedly:\n${readFileSync(logFile, 'utf8').slice(-logCharsShown)}`);
  });
  died.catch(() => undefined);
  const ready = await Promise.race([readyMessage(child), died]);
  return {
    pid: child.pid ?? 0,
    ready,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.send(endMessage);
      await once(child, 'exit');
    },
    request: async message => {
      child.send(message);
      const [response] = await Promise.race([once(child, 'message'), died]);
      return response;
    },
  };
}

const logCharsShown = 2_000;

function readyMessage(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('message', (message: ReadyMessage) => resolve(message.ready));
  });
}
