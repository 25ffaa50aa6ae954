import type { Terminal } from '../process/progress.js';
import { runCommand } from '../process/run-command.js';

/** What a download or a build of the CLI works with. */
export interface TemporalSource {
  /** An empty directory, which is removed afterwards. */
  readonly directory: string;
  /** The environment of this process: proxies, Go's settings, the home directory. */
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
  readonly terminal?: Terminal | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The release of the official CLI to download or build. It works with the SDK in package.json. */
export const TEMPORAL_CLI_VERSION = '1.5.1';

/** The first server with update-with-start enabled by default, which buying a report requires. */
const OLDEST_SERVER = [1, 28] as const;

/** @returns the path, if it is a Temporal CLI that works and is new enough. @throws Error that says what is wrong */
export async function checkTemporalProgram(binary: string): Promise<string> {
  const output = await runCommand(binary, ['--version'], { timeoutMs: 15_000 });
  const [, major, minor] = /^temporal version .*Server (\d+)\.(\d+)/.exec(output) ?? [];
  if (major === undefined || minor === undefined) {
    throw new Error(`${binary} is not the Temporal CLI (it prints ${JSON.stringify(output.slice(0, 80))})`);
  }
  const [oldestMajor, oldestMinor] = OLDEST_SERVER;
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor);
  if (isOld) {
    throw new Error(
      `${binary} contains server ${major}.${minor}; ${OLDEST_SERVER.join('.')} or newer is required`,
    );
  }
  return binary;
}
