import type { Terminal } from './progress.js';

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
