import { z } from 'zod';
import type { ModelAnswer, ModelUsage } from './model-provider.js';
import { unusableAnswer } from './unusable-answer.js';

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
