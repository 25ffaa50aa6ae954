import { types } from 'node:util';
import { ZodError } from 'zod';
import { ProviderError } from './model-provider.js';
import { unusableAnswer } from './unusable-answer.js';

/**
 * What a failure means that is neither an HTTP status nor a connection error the SDK knows by name: a body that is
 * not JSON or not the vendor's format, or a connection that broke while the body came in.
 */
export function classifyBrokenExchange(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof ZodError || nameOf(error) === 'SyntaxError')
    return unusableAnswer('invalid_answer', null);
  return new ProviderError({ kind: 'unavailable', retryable: isBrokenConnection(error) });
}

/** `fetch` says "terminated" or "fetch failed" as a TypeError and puts the socket's error into its cause. */
function isBrokenConnection(error: unknown): boolean {
  return nameOf(error) === 'TypeError' && types.isNativeError(error) && error.cause !== undefined;
}

/** By name, not by `instanceof`: `fetch` belongs to another realm under some test runners. */
function nameOf(error: unknown): string | null {
  return types.isNativeError(error) ? error.name : null;
}
