import { CouncilProblem } from './council-problem.js';

interface RetryOptions {
  /** Whether a second request cannot do more than the first. */
  readonly isRepeatable: boolean;
  /** How long all pauses together may take. */
  readonly withinSeconds: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request again if the API is too busy for it (429 or 503) and says when to come back, as long as that is within
 * the bound. An hourly or daily limit is not.
 */
export async function withRetries<Answer>(
  send: () => Promise<Answer>,
  { isRepeatable, withinSeconds, signal }: RetryOptions,
): Promise<Answer> {
  for (let secondsLeft = withinSeconds; ; ) {
    try {
      return await send();
    } catch (error) {
      const seconds = isRepeatable ? pauseBefore(error) : null;
      if (seconds === null || seconds > secondsLeft) throw error;
      secondsLeft -= seconds;
      await pause(seconds * 1_000, signal);
    }
  }
}

const shortestPauseSeconds = 0.25;

/** Null if another try would be refused as well, or the API does not say when it would not be. */
function pauseBefore(error: unknown): number | null {
  if (!isBusy(error) || error.retryAfterSeconds === null) return null;
  return Math.max(error.retryAfterSeconds, shortestPauseSeconds);
}

/** The API has refused a request that it may accept later. */
export function isBusy(error: unknown): error is CouncilProblem {
  return error instanceof CouncilProblem && (error.status === 429 || error.status === 503);
}

/** @throws the reason of the signal once it is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(
        signal?.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal?.reason }),
      );
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
