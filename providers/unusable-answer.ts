import { type ModelUsage, ProviderError } from './model-provider.js';

/**
 * The vendor answered with status 200, and asking again would only pay again for the same.
 *
 * @param usage What the answer cost all the same; null when the body does not tell.
 */
export function unusableAnswer(kind: 'refused' | 'invalid_answer', usage: ModelUsage | null): ProviderError {
  return new ProviderError({ kind, retryable: false, status: 200, usage });
}
