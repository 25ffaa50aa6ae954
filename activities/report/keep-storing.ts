import { setTimeout as pause } from 'node:timers/promises';
import { log } from '@temporalio/activity';
import type { ProviderCall } from '../../db/pricing/provider-calls.js';
import type { SharedCall } from './shared-calls.js';

/**
 * Stores a call that was made, and its answer. Both exist only in this attempt, and another attempt would have to ask,
 * and pay, the model again. So they are stored here until that succeeds or the activity is cancelled, whatever the
 * error: Temporal's retries are for steps that can be repeated. A cancelled activity tries once more, and then ends.
 *
 * @param store has no effect when repeated: an error does not say whether the statement was committed
 * @throws the cancellation
 */
export async function keepStoring<Stored>(
  { signal }: Pick<SharedCall, 'signal'>,
  call: ProviderCall,
  store: () => Promise<Stored>,
): Promise<Stored> {
  const { reportId, stage, model, outcome, costUsdMicros } = call;
  const what = { reportId, stage, model, outcome, costUsdMicros };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, pauseMaxMs)) {
    const isLast = signal.aborted;
    try {
      return await store();
    } catch (err) {
      if (isLast) {
        log.error('a call to a model is lost: it could not be stored before the activity ended', {
          ...what,
          err,
        });
        throw signal.reason;
      }
      if (pauseMs === firstPauseMs) {
        log.warn('a call to a model could not be stored; it is kept and stored again', { ...what, err });
      }
      // Ends early, without an error, when the activity is cancelled.
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

const firstPauseMs = 200;
const pauseMaxMs = 2_000;
