import { adviceOnProblem } from './advice-on-problem.js';
import { ApiProblem } from './api-problem.js';
import { asTyped } from './as-typed.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { Failure } from './failure.js';

export interface ExplainedFailure {
  readonly message: string;
  readonly next: string;
  readonly exitCode: ExitCode;
  /** What is told programs. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** Whatever was thrown, with what to do about it. */
export function explainFailure(error: unknown): ExplainedFailure {
  if (error instanceof ApiProblem) {
    const next = adviceOnProblem(error.code, error);
    const exitCode = overThePrice.has(error.code) ? exitCodes.refused : exitCodes.failed;
    return { message: error.message, next, exitCode, document: { ...error.document, next } };
  }
  const message = error instanceof Error ? error.message : String(error);
  const { next, exitCode } =
    error instanceof Failure
      ? error
      : { next: `${asTyped('doctor')} looks for what is wrong here.`, exitCode: exitCodes.failed };
  return { message, next, exitCode, document: { detail: message, next } };
}

const overThePrice: ReadonlySet<string> = new Set(['insufficient_credits', 'quote_expired']);
