import { z } from 'zod';
import { classifyHttpFailure } from './classify-http-failure.js';
import { readGoogleErrorDetails } from './read-google-error-details.js';

/**
 * Fetches the card of a Gemini model, which resolves when Google knows the model.
 *
 * @throws ProviderError for an HTTP status other than 2xx; whatever `fetch` throws; ZodError or SyntaxError for a
 * body that is no card.
 */
export async function fetchGoogleModelCard(url: string, apiKey: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    headers: { 'x-goog-api-key': apiKey },
    // Otherwise the key would be carried along to wherever a redirect points.
    redirect: 'manual',
    signal,
  });
  if (!response.ok) throw await failureOf(response);
  cardShape.parse(await response.json());
}

const cardShape = z.object({ name: z.string() });

const errorShape = z.object({ error: z.object({ details: z.unknown() }) });

async function failureOf(response: Response) {
  // The status decides alone when the body is a proxy's page.
  const body = errorShape.safeParse(await response.json().catch(() => null));
  return classifyHttpFailure({
    status: response.status,
    headers: response.headers,
    ...readGoogleErrorDetails(body.data?.error.details),
    nowMs: Date.now(),
  });
}
