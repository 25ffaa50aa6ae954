import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAI } from 'openai';
import { z } from 'zod';
import { askOnce } from './ask-once.js';
import { classifyBrokenExchange } from './classify-broken-exchange.js';
import { classifyHttpFailure } from './classify-http-failure.js';
import { codeInComplaint } from './code-in-complaint.js';
import { type ModelAnswer, type ModelProvider, type ModelQuestion, ProviderError } from './model-provider.js';
import type { ProviderSettings } from './provider-settings.js';
import { pruneJsonSchema } from './prune-json-schema.js';
import { unusableAnswer } from './unusable-answer.js';

/**
 * OpenAI's chat completions, and whatever speaks them at another `baseUrl`.
 * One HTTP request per `ask`; structured output by strict JSON schema.
 */
export function createOpenAiProvider(settings: ProviderSettings): ModelProvider {
  const client = createClient(settings);
  return {
    ask: question =>
      askOnce(
        question,
        async signal => readCompletion(await complete(client, settings, question, signal), settings),
        classify,
      ),
  };
}

function createClient({ apiKey, baseUrl }: ProviderSettings): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    // Every option that the SDK would otherwise take from the environment. The header is repeated because
    // OPENAI_CUSTOM_HEADERS could replace it, and a caller's own key must never be swapped for the house's.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    defaultHeaders: { Authorization: `Bearer ${apiKey}` },
    logLevel: 'off',
    maxRetries: 0,
    fetchOptions: { redirect: 'manual' },
  });
}

function complete(
  client: OpenAI,
  { modelId }: ProviderSettings,
  question: ModelQuestion,
  signal: AbortSignal,
): Promise<unknown> {
  return client.chat.completions.create(
    {
      model: modelId,
      messages: [
        { role: 'system', content: question.system },
        { role: 'user', content: question.user },
      ],
      max_completion_tokens: question.maxOutputTokens,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: question.schemaName,
          strict: true,
          schema: pruneJsonSchema(question.schema, strictKeywords),
        },
      },
    },
    { signal, timeout: question.timeoutMs, maxRetries: 0 },
  );
}

const strictKeywords: ReadonlySet<string> = new Set(
  [
    'type title description enum const anyOf $ref $defs pattern format properties required',
    'additionalProperties items minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  ].flatMap(names => names.split(' ')),
);

const count = z.int().nonnegative();

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
  usage: z
    .object({ prompt_tokens: count, completion_tokens: count, total_tokens: count.default(0) })
    .default({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
});

function readCompletion(body: unknown, { modelId }: ProviderSettings): ModelAnswer {
  const { choices, model, usage } = completionShape.parse(body);
  const { finish_reason: finish, message } = choices[0];
  if (finish === 'content_filter' || message.refusal) throw unusableAnswer('refused');
  const text = message.content ?? '';
  if ((finish ?? 'stop') !== 'stop' || text.trim() === '') throw unusableAnswer('invalid_answer');
  return {
    text,
    modelId: model ?? modelId,
    inputTokens: usage.prompt_tokens,
    // OpenAI counts reasoning within completion_tokens, xAI beside it: only the total holds it for both.
    outputTokens: Math.max(usage.completion_tokens, usage.total_tokens - usage.prompt_tokens),
  };
}

function classify(error: unknown): ProviderError {
  if (error instanceof APIConnectionTimeoutError) {
    return new ProviderError({ kind: 'timed_out', retryable: true });
  }
  if (error instanceof APIConnectionError) {
    return new ProviderError({ kind: 'unavailable', retryable: true });
  }
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers } = error;
    return classifyHttpFailure({ status, headers: headers ?? null, code: codeOf(error), nowMs: Date.now() });
  }
  return classifyBrokenExchange(error);
}

/** xAI's errors are `{code, error}` with bare texts in both: what happened stands in the words alone. */
function codeOf(error: APIError): string | null {
  return error.code ?? codeInComplaint(error.message) ?? error.type ?? null;
}
