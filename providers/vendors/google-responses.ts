import { z } from 'zod';
import { cacheTokens, type ModelAnswer, type ModelUsage } from '../model-provider.js';
import { classifyHttpFailure, truncatedAnswer, unusableAnswer } from './failures.js';

/**
 * Reads the body of a `generateContent` response. The SDK's `text()` is not used: it returns truncated text
 * as if it were complete, and includes the model's thoughts.
 *
 * @throws ProviderError `refused` or `invalid_answer`; ZodError if the body has another format.
 */
export function readGoogleAnswer(body: unknown, modelId: string): ModelAnswer {
  const { candidates, modelVersion = modelId, promptFeedback, usageMetadata } = contentShape.parse(body);
  const usage = usageMetadata === undefined ? null : usageOf(modelVersion, usageMetadata);
  if (promptFeedback?.blockReason !== undefined) throw unusableAnswer('refused', usage);
  const candidate = candidates[0];
  const finish = candidate?.finishReason ?? 'STOP';
  if (refusals.has(finish)) throw unusableAnswer('refused', usage);
  if (finish === 'MAX_TOKENS') throw truncatedAnswer(usage);
  const parts = candidate?.content?.parts ?? [];
  const text = parts.map(part => (part.thought ? '' : (part.text ?? ''))).join('');
  if (finish !== 'STOP' || text.trim() === '') throw unusableAnswer('invalid_answer', usage);
  return { text, ...(usage ?? { modelId: modelVersion, inputTokens: 0, outputTokens: 0 }) };
}

const count = z.int().nonnegative().default(0);

const tokensShape = z.object({
  /** Includes what the cache served. */
  promptTokenCount: count,
  cachedContentTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  /** What a search put into the prompt. */
  toolUsePromptTokenCount: count,
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
    inputTokens: tokens.promptTokenCount + tokens.toolUsePromptTokenCount,
    ...cacheTokens(tokens.cachedContentTokenCount, 0),
    outputTokens: tokens.candidatesTokenCount + tokens.thoughtsTokenCount,
  };
}

const refusals: ReadonlySet<string> = new Set(
  'SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII'.split(' '),
);

/**
 * Reads the error code and the requested delay from Gemini's `error.details`. Unknown formats are ignored.
 */
export function readGoogleErrorDetails(details: unknown): GoogleErrorDetails {
  const read = detailsShape.parse(details);
  // A daily quota resets tomorrow, even if the response also requests a shorter delay.
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
 * Retrieves a Gemini model's metadata. Resolves if Google knows the model.
 *
 * @throws ProviderError for an HTTP status other than 2xx; the errors of `fetch`; ZodError or SyntaxError if
 *   the body does not describe a model.
 */
export async function retrieveGoogleModel(url: string, apiKey: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    headers: { 'x-goog-api-key': apiKey },
    // Otherwise `fetch` would forward the key to the target of a redirect.
    redirect: 'manual',
    signal,
  });
  if (!response.ok) throw await failureOf(response);
  modelShape.parse(await response.json());
}

const modelShape = z.object({ name: z.string() });

const errorShape = z.object({ error: z.object({ details: z.unknown() }) });

async function failureOf(response: Response) {
  // Only the status counts if the body is not Gemini's JSON, for example a proxy's error page.
  const body = errorShape.safeParse(await response.json().catch(() => null));
  return classifyHttpFailure({
    status: response.status,
    headers: response.headers,
    ...readGoogleErrorDetails(body.data?.error.details),
    nowMs: Date.now(),
  });
}
