import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { type RunFailureCode, runFailures } from '../council/report.js';

/** Which of the closed list of failures ended a run. */
export function runFailureOf(error: unknown): RunFailureCode {
  if (isCancellation(error)) return 'cancelled';
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return isRunFailure(type) ? type : 'internal';
}

/** The failure a run ends with: seen as failed in the history, with the code as its type. */
export function failedRun(failure: RunFailureCode): ApplicationFailure {
  return ApplicationFailure.nonRetryable(runFailures[failure], failure);
}

function isRunFailure(type: string | null | undefined): type is RunFailureCode {
  return typeof type === 'string' && Object.hasOwn(runFailures, type);
}
