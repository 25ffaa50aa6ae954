import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAI } from 'openai';
import { z } from 'zod';
import { askOnce } from './ask-once.js';
import { classifyBrokenExchange } from './classify-broken-exchange.js';
import { classifyHttpFailure } from './classify-http-failure.js';
import { codeInComplaint } from './code-in-complaint.js';
import { type CallLimits, type ModelProvider, type ModelQuestion, ProviderError } from './model-provider.js';
import type { ProviderSettings } from './provider-settings.js';
import { pruneJsonSchema } from './prune-json-schema.js';
import { readOpenAiAnswer } from './read-openai-answer.js';

/**
 * OpenAI's chat completions, and whatever speaks them at another `baseUrl`.
 * One HTTP request per call; structured output by strict JSON schema.
 */
export function createOpenAiProvider(settings: ProviderSettings): ModelProvider {
  const client = createClient(settings);
  return {
    ask: question =>
      askOnce(
        question,
        async signal =>
          readOpenAiAnswer(await complete(client, settings, question, signal), settings.modelId),
        classify,
      ),
    checkModel: limits => askOnce(limits, signal => fetchCard(client, settings, limits, signal), classify),
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

async function fetchCard(
  client: OpenAI,
  { modelId }: ProviderSettings,
  { timeoutMs }: CallLimits,
  signal: AbortSignal,
): Promise<void> {
  cardShape.parse(await client.models.retrieve(modelId, { signal, timeout: timeoutMs, maxRetries: 0 }));
}

/** An alias is answered with the card of the model it stands for, so the id need not be ours. */
const cardShape = z.object({ id: z.string() });

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
