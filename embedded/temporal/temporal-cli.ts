import type { Terminal } from '../process/progress.js';
import { runCommand } from '../process/run-command.js';

/** What a way of getting the Temporal CLI works with. It answers the file it made in the directory, or throws why not. */
export interface TemporalSource {
  /** An empty directory of its own; what stays in it is removed afterwards. */
  readonly directory: string;
  /** The environment of this process, handed in: proxies, Go's settings, the home directory. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly terminal?: Terminal | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The release of the official CLI that is downloaded or built; known to work with the SDK in package.json. */
export const TEMPORAL_CLI_VERSION = '1.5.1';

/** The first server whose update-with-start is on by default: without it no report can be bought. */
const OLDEST_SERVER = [1, 28] as const;

/** Answers the path again if it is a Temporal CLI that works and is new enough; else throws what is wrong with it. */
export async function checkTemporal(binary: string): Promise<string> {
  const output = await runCommand(binary, ['--version'], { timeoutMs: 15_000 });
  const [, major, minor] = /^temporal version .*Server (\d+)\.(\d+)/.exec(output) ?? [];
  if (major === undefined || minor === undefined) {
    throw new Error(`${binary} is not the Temporal CLI (it says ${JSON.stringify(output.slice(0, 80))})`);
  }
  const [oldestMajor, oldestMinor] = OLDEST_SERVER;
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor);
  if (isOld) {
    throw new Error(
      `${binary} holds server ${major}.${minor}; ${OLDEST_SERVER.join('.')} or newer is needed`,
    );
  }
  return binary;
}
