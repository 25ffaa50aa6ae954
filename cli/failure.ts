import { type ExitCode, exitCodes } from './exit-codes.js';

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
