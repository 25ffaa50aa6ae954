import { z } from 'zod';
import type { ModelUsage } from './model-provider.js';

/**
 * What a chat completion cost.
 *
 * @returns null when the body does not tell.
 * @throws ZodError for a body of another format.
 */
export function readOpenAiUsage(body: unknown, modelId: string): ModelUsage | null {
  const { model = modelId, usage } = completionShape.parse(body);
  if (usage === undefined) return null;
  const { prompt_tokens: inputTokens, completion_tokens: completion, total_tokens: total } = usage;
  // OpenAI counts reasoning within completion_tokens, xAI beside it: only the total holds it for both.
  return { modelId: model, inputTokens, outputTokens: Math.max(completion, total - inputTokens) };
}

const count = z.int().nonnegative();

const completionShape = z.object({
  model: z.string().optional(),
  usage: z
    .object({ prompt_tokens: count, completion_tokens: count, total_tokens: count.default(0) })
    .optional(),
});
