interface FailureNotes {
  /** What to do, as a sentence or a command. */
  readonly next: string;
  readonly exitCode?: ExitCode;
  readonly cause?: unknown;
}

/** An expected failure, with advice on what to do. */
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

/** The exit codes of the command line. Scripts rely on them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, refused: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit codes as shown in the help. */
export const exitCodesHelp = [
  'Exit codes:',
  '  0  success; nothing is wrong',
  '  1  the command failed or found a problem; the message says what to do',
  '  2  invalid command line; nothing was done',
  '  3  nothing was bought: the price exceeds --max-credits, --max-usd or the balance, or has just changed',
].join('\n');
