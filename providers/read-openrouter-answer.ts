import { z } from 'zod';
import { classifyHttpFailure } from './classify-http-failure.js';
import type { ModelAnswer } from './model-provider.js';
import { readOpenAiAnswer } from './read-openai-answer.js';
import { readOpenAiUsage } from './read-openai-usage.js';
import { readOpenRouterError } from './read-openrouter-error.js';
import { unusableAnswer } from './unusable-answer.js';

/**
 * Reads the body of a chat completion that OpenRouter passed on. Once a model is at work OpenRouter has answered
 * with status 200, so a failure after that stands in the body, whole or in the choice.
 *
 * @throws ProviderError as an HTTP error of the status in the body would be; all else as `readOpenAiAnswer` does.
 */
export function readOpenRouterAnswer(body: unknown, modelId: string): ModelAnswer {
  const error = errorIn(body);
  if (error === null) return readOpenAiAnswer(body, modelId);
  const { status, code, retryDelay } = readOpenRouterError(error);
  const usage = readOpenAiUsage(body, modelId);
  if (status === null) throw unusableAnswer('invalid_answer', usage);
  throw classifyHttpFailure({ status, headers: null, code, retryDelay, usage, nowMs: Date.now() });
}

const holderShape = z.object({ error: z.unknown().optional() }).catch({ error: null });
const bodyShape = holderShape.unwrap().extend({ choices: z.array(holderShape).catch([]) });

function errorIn(body: unknown): unknown {
  const read = bodyShape.safeParse(body).data;
  return read?.error ?? read?.choices[0]?.error ?? null;
}
