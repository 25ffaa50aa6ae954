import { type CallLimits, ProviderError } from '../model-provider.js';

/**
 * Runs one HTTP request with the caller's timeout and cancellation signal.
 *
 * `send` receives a signal that aborts on either; `classify` converts the SDK's errors. The timeout is
 * applied here because the SDKs' own timeouts end when the response headers arrive and do not cover the body. The call
 * ends at once, even if the SDK ignores the signal: nothing else bounds a stage.
 *
 * @throws The reason of `limits.signal` if it was aborted: a cancellation is not a dropout.
 * @throws ProviderError in all other cases; `timed_out` if `limits.timeoutMs` elapsed.
 */
export async function askVendor<Result>(
  limits: CallLimits,
  send: (signal: AbortSignal) => Promise<Result>,
  classify: (error: unknown) => ProviderError,
): Promise<Result> {
  const { signal, timeoutMs } = limits;
  signal.throwIfAborted();
  // One controller per call, because SDKs add listeners that they never remove to the signal.
  const exchange = new AbortController();
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      exchange.abort();
      reject(exchange.signal.reason);
    };
  });
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([send(exchange.signal), aborted]);
  } catch (error) {
    signal.throwIfAborted();
    if (exchange.signal.aborted) throw new ProviderError({ kind: 'timed_out', retryable: true });
    throw classify(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
