import { z } from 'zod';
import type { ModelAnswer } from './model-provider.js';
import { readOpenAiUsage } from './read-openai-usage.js';
import { unusableAnswer } from './unusable-answer.js';

/**
 * Reads the body of a chat completion, OpenAI's or xAI's.
 *
 * @throws ProviderError `refused` or `invalid_answer`, and ZodError for a body of another format.
 */
export function readOpenAiAnswer(body: unknown, modelId: string): ModelAnswer {
  const { choices, model = modelId } = completionShape.parse(body);
  const usage = readOpenAiUsage(body, modelId);
  const { finish_reason: finish, message } = choices[0];
  if (finish === 'content_filter' || message.refusal) throw unusableAnswer('refused', usage);
  const text = message.content ?? '';
  if ((finish ?? 'stop') !== 'stop' || text.trim() === '') throw unusableAnswer('invalid_answer', usage);
  return { text, ...(usage ?? { modelId: model, inputTokens: 0, outputTokens: 0 }) };
}

const completionShape = z.object({
  model: z.string().optional(),
  choices: z
    .tuple([
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    ])
    .rest(z.unknown()),
});
