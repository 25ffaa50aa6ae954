import { z } from 'zod';
import type { ModelAnswer, ModelUsage } from '../model-provider.js';
import { classifyHttpFailure, unusableAnswer } from './failures.js';

/**
 * Reads the body of a `generateContent` answer. Not by the SDK's own `text()`, which returns a text that was cut
 * off as if it were whole, and mixes the model's thoughts into it.
 *
 * @throws ProviderError `refused` or `invalid_answer`, and ZodError for a body of another format.
 */
export function readGoogleAnswer(body: unknown, modelId: string): ModelAnswer {
  const { candidates, modelVersion = modelId, promptFeedback, usageMetadata } = contentShape.parse(body);
  const usage = usageMetadata === undefined ? null : usageOf(modelVersion, usageMetadata);
  if (promptFeedback?.blockReason !== undefined) throw unusableAnswer('refused', usage);
  const candidate = candidates[0];
  const finish = candidate?.finishReason ?? 'STOP';
  if (refusals.has(finish)) throw unusableAnswer('refused', usage);
  const parts = candidate?.content?.parts ?? [];
  const text = parts.map(part => (part.thought ? '' : (part.text ?? ''))).join('');
  if (finish !== 'STOP' || text.trim() === '') throw unusableAnswer('invalid_answer', usage);
  return { text, ...(usage ?? { modelId: modelVersion, inputTokens: 0, outputTokens: 0 }) };
}

const count = z.int().nonnegative().default(0);

const tokensShape = z.object({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
});

const contentShape = z.object({
  modelVersion: z.string().optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  candidates: z
    .array(
      z.object({
        finishReason: z.string().optional(),
        content: z
          .object({
            parts: z
              .array(z.object({ text: z.string().optional(), thought: z.boolean().optional() }))
              .default([]),
          })
          .optional(),
      }),
    )
    .default([]),
  usageMetadata: tokensShape.optional(),
});

/** Thoughts are billed as output. */
function usageOf(modelId: string, tokens: z.infer<typeof tokensShape>): ModelUsage {
  return {
    modelId,
    inputTokens: tokens.promptTokenCount,
    outputTokens: tokens.candidatesTokenCount + tokens.thoughtsTokenCount,
  };
}

const refusals: ReadonlySet<string> = new Set(
  'SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII'.split(' '),
);

/**
 * What Gemini's errors say beside the status, from the list at `error.details`. Of any other format: nothing.
 *
 * @returns The error code that `classify-http-failure` knows, and the delay that was asked for.
 */
export function readGoogleErrorDetails(details: unknown): GoogleErrorDetails {
  const read = detailsShape.parse(details);
  // A quota of the day comes back tomorrow, whatever delay stands beside it.
  const daily = read.some(detail => detail.violations.some(({ quotaId }) => /PerDay/i.test(quotaId)));
  return {
    code: daily ? 'insufficient_quota' : (read.find(({ reason }) => reason !== undefined)?.reason ?? null),
    retryDelay: read.find(({ retryDelay }) => retryDelay !== undefined)?.retryDelay ?? null,
  };
}

interface GoogleErrorDetails {
  readonly code: string | null;
  readonly retryDelay: string | null;
}

const detailsShape = z
  .array(
    z.object({
      reason: z.string().optional(),
      retryDelay: z.string().optional(),
      violations: z.array(z.object({ quotaId: z.string().default('') })).default([]),
    }),
  )
  .catch([]);

/**
 * Fetches the card of a Gemini model, which resolves when Google knows the model.
 *
 * @throws ProviderError for an HTTP status other than 2xx; whatever `fetch` throws; ZodError or SyntaxError for a
 * body that is no card.
 */
export async function retrieveGoogleModel(url: string, apiKey: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    headers: { 'x-goog-api-key': apiKey },
    // Otherwise the key would be carried along to wherever a redirect points.
    redirect: 'manual',
    signal,
  });
  if (!response.ok) throw await failureOf(response);
  modelShape.parse(await response.json());
}

const modelShape = z.object({ name: z.string() });

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
