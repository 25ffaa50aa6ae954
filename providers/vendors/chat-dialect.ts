import type { APIError, OpenAI } from 'openai';
import { z } from 'zod';
import type { ModelAnswer, ModelUsage } from '../model-provider.js';
import { unusableAnswer } from './failures.js';

/** Where those who speak OpenAI's chat completions differ from one another. */
export interface ChatDialect {
  /** The keywords of JSON schema that every model behind this address takes. */
  readonly schemaKeywords: ReadonlySet<string>;
  /** What a request says beside its messages and its schema. */
  extraFields(maxOutputTokens: number): ChatFields;
  /** @throws ProviderError or ZodError for a body that holds no usable answer. */
  readAnswer(body: unknown, modelId: string): ModelAnswer;
  /** @throws ZodError for a body that is no card of a model. */
  retrieveModel(client: OpenAI, modelId: string, options: RequestOptions): Promise<void>;
  readError(error: APIError): ChatError;
}

export interface ChatFields {
  /** OpenAI's own name of the bound. */
  readonly max_completion_tokens?: number;
  /** The older name of the same. */
  readonly max_tokens?: number;
  /** OpenRouter's choice among those who serve a model. */
  readonly provider?: { readonly require_parameters: boolean };
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly maxRetries: number;
}

/** What an HTTP error says beside its status. */
export interface ChatError {
  /** A code that `classify-http-failure` knows, or any other, or null. */
  readonly code: string | null;
  /** A delay asked for in the body: seconds, such as `30s`. */
  readonly retryDelay: string | null;
}

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

/**
 * What a chat completion cost.
 *
 * @returns null when the body does not tell.
 * @throws ZodError for a body of another format.
 */
export function readOpenAiUsage(body: unknown, modelId: string): ModelUsage | null {
  const { model = modelId, usage } = usageShape.parse(body);
  if (usage === undefined) return null;
  const { prompt_tokens: inputTokens, completion_tokens: completion, total_tokens: total } = usage;
  // OpenAI counts reasoning within completion_tokens, xAI beside it: only the total holds it for both.
  return { modelId: model, inputTokens, outputTokens: Math.max(completion, total - inputTokens) };
}

const count = z.int().nonnegative();

const usageShape = z.object({
  model: z.string().optional(),
  usage: z
    .object({ prompt_tokens: count, completion_tokens: count, total_tokens: count.default(0) })
    .optional(),
});
