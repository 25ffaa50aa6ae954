import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endMessage, type ReadyMessage } from '../../config/lifetime.js';
import { projectFiles } from '../../config/project-files.js';

export interface RunningProcess {
  readonly pid: number;
  /** What it said when it became ready. */
  readonly said: string;
  /** Asks it to end, and waits until it has. */
  readonly end: () => Promise<void>;
  readonly tell: (message: object) => Promise<unknown>;
}

interface ProcessToRun {
  /** Below `dist/`, without its ending. */
  readonly module: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where what it says goes. */
  readonly logFolder: string;
}

/** A process of the service, or one beside it, as the supervisor of `npm start` runs them; but one that dies stays dead. */
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
    throw new Error(`${module} ended by itself:\n${readFileSync(logFile, 'utf8').slice(-logCharsShown)}`);
  });
  died.catch(() => undefined);
  const said = await Promise.race([firstWord(child), died]);
  return {
    pid: child.pid ?? 0,
    said,
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.send(endMessage);
      await once(child, 'exit');
    },
    tell: async message => {
      child.send(message);
      const [answer] = await Promise.race([once(child, 'message'), died]);
      return answer;
    },
  };
}

const logCharsShown = 2_000;

function firstWord(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.once('message', (message: ReadyMessage) => resolve(message.ready));
  });
}
