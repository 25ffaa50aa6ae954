import { type CallLimits, ProviderError } from '../model-provider.js';

/**
 * Runs one HTTP request with the caller's timeout and cancellation signal.
 *
 * `send` receives a signal that aborts on either; `classify` converts the SDK's errors. The timeout is
 * applied here because the SDKs' own timeouts end when the response headers arrive and do not cover the body.
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
  const abort = () => exchange.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await send(exchange.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (exchange.signal.aborted) throw new ProviderError({ kind: 'timed_out', retryable: true });
    throw classify(error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
