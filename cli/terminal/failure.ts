interface FailureNotes {
  /** What to do about it, as a sentence or a command. */
  readonly next: string;
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** What went wrong, in a way that we know what to do about. */
export class Failure extends Error {
  readonly next: string;
  readonly exitCode: ExitCode;

  constructor(message: string, { next, exitCode = exitCodes.failed, cause }: FailureNotes) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'Failure';
    this.next = next;
    this.exitCode = exitCode;
  }
}

/** How the command line ends; programs may rely on these. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, refused: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The same, for people. */
export const exitCodesHelp = [
  'Exit codes:',
  '  0  done, and nothing was found wrong',
  '  1  it failed, or found something wrong; the message says what to do next',
  '  2  the command line is not valid; nothing was done',
  '  3  nothing was bought: the price is above --max-credits, above what the account has, or has just moved',
].join('\n');
