import { z } from 'zod';
import type { ModelAnswer, ModelProvider, ProviderSettings } from '../model-provider.js';
import { type ChatDialect, type ChatError, readOpenAiAnswer, readOpenAiUsage } from './chat-dialect.js';
import { classifyHttpFailure, unusableAnswer } from './failures.js';
import { createOpenAiProvider } from './openai.js';

/** Any vendor's model by OpenRouter, which speaks OpenAI's chat completions and passes them on. */
export function createOpenRouterProvider(settings: ProviderSettings): ModelProvider {
  const baseUrl = settings.baseUrl ?? 'https://openrouter.ai/api/v1';
  return createOpenAiProvider({ ...settings, baseUrl }, openRouterDialect);
}

const openRouterDialect: ChatDialect = {
  // It passes the schema on as it is, so no keyword may be in it that any of the vendors refuses: Anthropic takes no
  // bounds of numbers and lists. The descriptions tell the model of them, and the council checks them again.
  schemaKeywords: new Set(
    'type title description enum const anyOf $ref $defs properties required additionalProperties items'.split(
      ' ',
    ),
  ),
  extraFields: maxOutputTokens => ({
    // With `require_parameters` only those serve a model who list every field that is sent, and few of them list
    // `max_completion_tokens`. Without it, one who knows nothing of schemas could answer.
    max_tokens: maxOutputTokens,
    provider: { require_parameters: true },
  }),
  readAnswer: readOpenRouterAnswer,
  // Not by the SDK's `models.retrieve`, which escapes the slash in the id.
  retrieveModel: async (client, modelId, options) => {
    modelShape.parse(await client.get(`/models/${modelId}/endpoints`, options));
  },
  readError: error => readOpenRouterError(error.error),
};

const modelShape = z.object({ data: z.object({ id: z.string(), endpoints: z.array(z.unknown()) }) });

/**
 * Reads the body of a chat completion that OpenRouter passed on. Once a model is at work OpenRouter has answered
 * with status 200, so a failure after that stands in the body, whole or in the choice.
 *
 * @throws ProviderError as an HTTP error of the status in the body would be; all else as `readOpenAiAnswer` does.
 */
function readOpenRouterAnswer(body: unknown, modelId: string): ModelAnswer {
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

/**
 * What OpenRouter's `error` object says, wherever it stands: in the body of an HTTP error, in one with status 200,
 * or in a choice. Of any other format: nothing.
 */
function readOpenRouterError(error: unknown): OpenRouterError {
  const { code, http_status: httpStatus, metadata, availability } = errorShape.parse(error);
  const delay = availability.retry_after;
  return {
    status: code ?? httpStatus,
    code: isFlagged(metadata) ? 'content_filter' : codeOf(metadata),
    retryDelay: delay === null ? null : `${delay}s`,
  };
}

export interface OpenRouterError extends ChatError {
  /** The HTTP status that the failure would have had by itself; null when it names none. */
  readonly status: number | null;
}

const failedStatus = z.coerce.number().pipe(z.int().min(400).max(599)).nullable().catch(null);
const word = z.string().nullable().catch(null);
const words = z.array(z.unknown()).catch([]);

const metadataShape = z.object({
  error_type: word,
  limit_source: word,
  /** Of a moderation: why, and the text that was flagged. */
  reasons: words,
  flagged_input: word,
  /** Of a guardrail that the key's owner set up. */
  patterns: words,
});

const availabilityShape = z.object({ retry_after: z.number().nonnegative().nullable().catch(null) });

const contentShape = z.object({
  code: failedStatus,
  http_status: failedStatus,
  metadata: metadataShape.catch(metadataShape.parse({})),
  availability: availabilityShape.catch(availabilityShape.parse({})),
});

const errorShape = contentShape.catch(contentShape.parse({}));

type Metadata = z.infer<typeof metadataShape>;

function isFlagged({ reasons, flagged_input: flagged, patterns }: Metadata): boolean {
  return reasons.length > 0 || patterns.length > 0 || (flagged ?? '') !== '';
}

function codeOf({ limit_source: source, error_type: type }: Metadata): string | null {
  return codes.get(source ?? '') ?? codes.get(type ?? '') ?? null;
}

/** OpenRouter's own words for what its statuses do not tell apart. The words not listed add nothing to the status. */
const codes: ReadonlyMap<string, string> = new Map([
  // The key's running requests hold its credits: that passes, unlike every other want of credits.
  ['openrouter_in_flight_budget', 'budget_in_flight'],
  ['openrouter_credits', 'insufficient_quota'],
  ['openrouter_key_limit', 'insufficient_quota'],
  ['openrouter_guardrail_budget', 'insufficient_quota'],
  ['openrouter_workspace_budget', 'insufficient_quota'],
  ['content_policy_violation', 'content_filter'],
  ['refusal', 'content_filter'],
]);
