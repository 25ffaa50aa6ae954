import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { ProviderError } from '../providers/model-provider.js';

/**
 * A provider's error as Temporal is to treat it: permanent ones end the call; the rest are tried again, when the
 * vendor asked for a pause after exactly that pause, unless the pause is longer than the stage has left.
 * Benign: a model dropping out is foreseen, and no alarm.
 */
export function asFailure(error: ProviderError, timeLeftMs: number): ApplicationFailure {
  const wait = error.retryAfterMs;
  const hopeless = !error.retryable || timeLeftMs <= 1 || (wait !== null && wait >= timeLeftMs);
  return ApplicationFailure.create({
    message: error.message,
    type: error.kind,
    nonRetryable: hopeless,
    category: ApplicationFailureCategory.BENIGN,
    ...(hopeless || wait === null || wait === 0 ? {} : { nextRetryDelay: wait }),
  });
}
