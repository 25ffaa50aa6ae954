import { ProviderError } from '../../providers/model-provider.js';

/** Resolves with the call's ProviderError. Any other result fails the test. */
export async function failureOf(answer: Promise<unknown>): Promise<ProviderError> {
  const thrown = await answer.then(
    value => new Error(`answered ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof ProviderError) return thrown;
  throw thrown;
}
