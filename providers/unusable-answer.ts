import { ProviderError } from './model-provider.js';

/** The vendor answered with status 200, and asking again would only pay again for the same. */
export function unusableAnswer(kind: 'refused' | 'invalid_answer'): ProviderError {
  return new ProviderError({ kind, retryable: false, status: 200 });
}
