import type { APIError, OpenAI } from 'openai';
import { z } from 'zod';
import type { AnswerLimits, Effort } from '../answer-limits.js';
import {
  cacheTokens,
  type ModelAnswer,
  type ModelQuestion,
  type ModelUsage,
  type ProviderSettings,
  type SearchAnswer,
  type SearchQuestion,
} from '../model-provider.js';
import { truncatedAnswer, unusableAnswer } from './failures.js';

/** The differences between vendors that implement OpenAI's chat completions. */
export interface ChatDialect {
  /** The JSON schema keywords that all models of this vendor accept. */
  readonly schemaKeywords: ReadonlySet<string>;
  /** Request fields besides the messages and the schema. */
  extraFields(limits: AnswerLimits, settings: Pick<ProviderSettings, 'billsCacheWrites'>): ChatFields;
  /** Headers of the request besides those of the client. */
  extraHeaders?(question: ModelQuestion): Readonly<Record<string, string>>;
  /** @throws ProviderError or ZodError if the body has no usable answer. */
  readAnswer(body: unknown, modelId: string): ModelAnswer;
  /** @throws APIError, ProviderError or ZodError. */
  search(
    client: OpenAI,
    modelId: string,
    question: SearchQuestion,
    signal: AbortSignal,
  ): Promise<SearchAnswer>;
  /** @throws ZodError if the body does not describe a model. */
  retrieveModel(client: OpenAI, modelId: string, options: ChatRequestOptions): Promise<void>;
  readError(error: APIError): ChatError;
}

export interface ChatFields {
  /** OpenAI's name for the limit. */
  readonly max_completion_tokens?: number;
  /** The older name for the same limit. */
  readonly max_tokens?: number;
  readonly reasoning_effort?: Effort;
  /** OpenRouter's form of both controls, which it translates for the model behind it. */
  readonly reasoning?: { readonly effort: Effort } | { readonly max_tokens: number };
  /** OpenAI's, for models that bill what they store in the prompt cache. */
  readonly prompt_cache_options?: { readonly mode: 'explicit' };
  /** OpenRouter's routing between the hosts of a model. */
  readonly provider?: { readonly require_parameters: boolean };
}

export interface ChatRequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly maxRetries: number;
}

/** The details of an HTTP error besides its status. */
export interface ChatError {
  /** Any error code; `classifyHttpFailure` maps the ones it knows. */
  readonly code: string | null;
  /** A delay requested in the body, in seconds: `30s`. */
  readonly retryDelay: string | null;
}

/**
 * Reads the body of a chat completion from OpenAI or xAI.
 *
 * @throws ProviderError `refused` or `invalid_answer`; ZodError if the body has another format.
 */
export function readOpenAiAnswer(body: unknown, modelId: string): ModelAnswer {
  const { choices, model = modelId } = completionShape.parse(body);
  const usage = readOpenAiUsage(body, modelId);
  const { finish_reason: finish, message } = choices[0];
  if (finish === 'content_filter' || message.refusal) throw unusableAnswer('refused', usage);
  if (finish === 'length') throw truncatedAnswer(usage);
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
 * Reads the token usage of a chat completion.
 *
 * @returns null if the body contains no usage.
 * @throws ZodError if the body has another format.
 */
export function readOpenAiUsage(body: unknown, modelId: string): ModelUsage | null {
  const { model = modelId, usage } = usageShape.parse(body);
  if (usage === undefined) return null;
  const { prompt_tokens: inputTokens, completion_tokens: completion, total_tokens: total } = usage;
  return {
    modelId: model,
    inputTokens,
    ...cacheTokensOf(usage.prompt_tokens_details),
    // OpenAI includes reasoning in completion_tokens, xAI does not: only the total includes it for both.
    outputTokens: Math.max(completion, total - inputTokens),
  };
}

const count = z.int().nonnegative();

/** Parts of the input tokens. OpenRouter reports them in the same form for the models of all vendors. */
export const inputDetailsShape = z
  .object({
    cached_tokens: count.nullish().catch(null),
    cache_write_tokens: count.nullish().catch(null),
  })
  .nullish()
  .catch(null);

export function cacheTokensOf(details: z.output<typeof inputDetailsShape>): ReturnType<typeof cacheTokens> {
  return cacheTokens(details?.cached_tokens ?? 0, details?.cache_write_tokens ?? 0);
}

const usageShape = z.object({
  model: z.string().optional(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      total_tokens: count.default(0),
      prompt_tokens_details: inputDetailsShape,
    })
    .optional(),
});
