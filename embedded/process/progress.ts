const LINE_MS = 10_000;
const OVERWRITE_MS = 500;

/** A stream that may be a terminal, such as process.stderr. */
export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Where progress is shown. */
export interface ProgressOptions {
  readonly log: (line: string) => void;
  /** Where it is a real terminal one line is overwritten; elsewhere a line is logged every ten seconds. */
  readonly terminal?: Terminal | undefined;
  /** The present state, given the seconds since the beginning. */
  readonly describe: (seconds: number) => string;
}

/** Shows progress until the answered function is called. */
export function showProgress({ log, terminal, describe }: ProgressOptions): () => void {
  const begin = performance.now();
  const now = () => describe(Math.round((performance.now() - begin) / 1000));
  if (terminal?.isTTY !== true) {
    const timer = setInterval(() => log(now()), LINE_MS);
    return () => clearInterval(timer);
  }
  const clearLine = '\r\u001B[2K';
  const timer = setInterval(() => terminal.write(`${clearLine}${now()}`), OVERWRITE_MS);
  return () => {
    clearInterval(timer);
    terminal.write(clearLine);
  };
}
