const LINE_MS = 10_000;
const OVERWRITE_MS = 500;

/** A stream that may be a terminal, such as process.stderr. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressOptions {
  readonly log: (line: string) => void;
  /** A terminal gets one line that is overwritten; otherwise a line is logged every ten seconds. */
  readonly terminal?: Terminal | undefined;
  /** The current status, given the seconds since the start. */
  readonly describe: (seconds: number) => string;
}

/** Shows progress until the returned function is called. */
export function showProgress({ log, terminal, describe }: ProgressOptions): () => void {
  const startedAt = performance.now();
  const status = () => describe(Math.round((performance.now() - startedAt) / 1000));
  if (terminal?.isTTY !== true) {
    const timer = setInterval(() => log(status()), LINE_MS);
    return () => clearInterval(timer);
  }
  const clearLine = '\r\u001B[2K';
  const timer = setInterval(() => terminal.write(`${clearLine}${status()}`), OVERWRITE_MS);
  return () => {
    clearInterval(timer);
    terminal.write(clearLine);
  };
}
