import { type CallLimits, ProviderError } from '../model-provider.js';

/**
 * Runs one HTTP exchange under the caller's time limit and cancellation signal.
 *
 * `send` gets a signal that aborts on either; `classify` turns whatever a vendor's SDK threw into our error.
 * The SDKs' time-outs end with the response headers, so the limit is kept here: it covers the body as well.
 *
 * @throws The reason of `limits.signal` when that was aborted: a cancellation is not a dropout.
 * @throws ProviderError in every other case; `timed_out` when `limits.timeoutMs` ran out.
 */
export async function askVendor<Result>(
  limits: CallLimits,
  send: (signal: AbortSignal) => Promise<Result>,
  classify: (error: unknown) => ProviderError,
): Promise<Result> {
  const { signal, timeoutMs } = limits;
  signal.throwIfAborted();
  // A controller of this call alone: SDKs add listeners that they never remove, and the caller's signal lives long.
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
