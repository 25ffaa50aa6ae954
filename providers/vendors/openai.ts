import { createHash } from 'node:crypto';
import { APIConnectionError, APIConnectionTimeoutError, APIError, OpenAI } from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { z } from 'zod';
import {
  type ModelProvider,
  type ModelQuestion,
  ProviderError,
  type ProviderSettings,
} from '../model-provider.js';
import { askVendor } from './ask-vendor.js';
import {
  type ChatDialect,
  type ChatError,
  type ChatRequestOptions,
  readOpenAiAnswer,
} from './chat-dialect.js';
import { classifyBrokenExchange, classifyHttpFailure, codeInErrorText, lostConnection } from './failures.js';
import { fetchWithHeaders } from './fetch-with-headers.js';
import { pruneJsonSchema } from './json-schema.js';
import { openAiResponses, searchWithResponses, xaiResponses } from './responses-search.js';

/**
 * OpenAI's chat completions, also for compatible vendors at another `baseUrl`. One HTTP request per answer; structured
 * output with a strict JSON schema. Searches go where the dialect sends them.
 */
export function createOpenAiProvider(
  settings: ProviderSettings,
  dialect: ChatDialect = openAiDialect,
): ModelProvider {
  const client = createClient(settings);
  const { modelId } = settings;
  const classify = (error: unknown) => classifyFailure(error, dialect);
  return {
    ask: question =>
      askVendor(
        question,
        async signal => {
          const request = requestOf(question, settings, dialect);
          const options = { signal, timeout: question.timeoutMs, maxRetries: 0 };
          const headers = dialect.extraHeaders?.(question);
          // The client sends no headers but those it is made with, see `fetchWithHeaders`.
          const { chat } = headers === undefined ? client : createClient(settings, headers);
          const body: unknown = await chat.completions.create(request, options);
          return dialect.readAnswer(body, modelId);
        },
        classify,
      ),
    search: question =>
      askVendor(question, signal => dialect.search(client, modelId, question, signal), classify),
    checkModel: limits =>
      askVendor(
        limits,
        signal =>
          dialect.retrieveModel(client, modelId, { signal, timeout: limits.timeoutMs, maxRetries: 0 }),
        classify,
      ),
  };
}

function createClient(
  { apiKey, baseUrl }: ProviderSettings,
  headers: Readonly<Record<string, string>> = {},
): OpenAI {
  return new OpenAI({
    apiKey,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    fetch: fetchWithHeaders({ authorization: `Bearer ${apiKey}`, ...headers }),
    // Set every other option that the SDK would read from the environment.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
  });
}

function requestOf(
  question: ModelQuestion,
  settings: ProviderSettings,
  dialect: ChatDialect,
): ChatCompletionCreateParamsNonStreaming {
  return {
    model: settings.modelId,
    messages: [
      { role: 'system', content: question.system },
      { role: 'user', content: question.user },
    ],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: question.schemaName,
        strict: true,
        schema: pruneJsonSchema(question.schema, dialect.schemaKeywords),
      },
    },
    ...dialect.extraFields(question, settings),
  };
}

const strictKeywords: ReadonlySet<string> = new Set(
  [
    'type title description enum const anyOf $ref $defs pattern format properties required',
    'additionalProperties items minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  ].flatMap(names => names.split(' ')),
);

/** For an alias, the vendor returns the model behind it, so the id can differ from the requested one. */
const modelShape = z.object({ id: z.string() });

const openAiDialect: ChatDialect = {
  schemaKeywords: strictKeywords,
  extraFields: ({ maxOutputTokens, effort }, { billsCacheWrites = false }) => ({
    max_completion_tokens: maxOutputTokens,
    ...(effort === null ? {} : { reasoning_effort: effort }),
    // Otherwise the vendor stores the whole prompt, for more than it costs to read it. Each stage has a schema and an
    // effort of its own, which stand before the messages, so nothing would be read from there.
    ...(billsCacheWrites ? { prompt_cache_options: { mode: 'explicit' } } : {}),
  }),
  readAnswer: readOpenAiAnswer,
  search: (client, modelId, question, signal) =>
    searchWithResponses(client, modelId, question, openAiResponses, signal),
  retrieveModel: async (client: OpenAI, modelId: string, options: ChatRequestOptions) => {
    modelShape.parse(await client.models.retrieve(modelId, options));
  },
  readError,
};

/** xAI's errors are `{code, error}` with plain text in both, so the code must be derived from the text. */
function readError(error: APIError): ChatError {
  return { code: error.code ?? codeInErrorText(error.message) ?? error.type ?? null, retryDelay: null };
}

function classifyFailure(error: unknown, dialect: ChatDialect): ProviderError {
  if (error instanceof APIConnectionTimeoutError) {
    return new ProviderError({ kind: 'timed_out', retryable: true });
  }
  if (error instanceof APIConnectionError) {
    return lostConnection(error);
  }
  if (error instanceof APIError && error.status !== undefined) {
    const { status, headers } = error;
    const { code, retryDelay } = dialect.readError(error);
    return classifyHttpFailure({ status, headers: headers ?? null, code, retryDelay, nowMs: Date.now() });
  }
  return classifyBrokenExchange(error);
}

/**
 * Grok. xAI implements OpenAI's chat completions, and its responses with differences in the search. Its cache serves what
 * requests to the same server begin with, and bills nothing for storing it.
 */
export function createXaiProvider(settings: ProviderSettings): ModelProvider {
  const dialect: ChatDialect = {
    ...openAiDialect,
    extraFields: limits => openAiDialect.extraFields(limits, {}),
    extraHeaders: question => ({ 'x-grok-conv-id': sharedIdOf(question) }),
    search: (client, modelId, question, signal) =>
      searchWithResponses(client, modelId, question, xaiResponses, signal),
  };
  return createOpenAiProvider({ ...settings, baseUrl: settings.baseUrl ?? 'https://api.x.ai/v1' }, dialect);
}

/** The same for all questions that begin alike: a hash, which tells the vendor nothing that it is not sent anyway. */
function sharedIdOf({ system, user, sharedChars }: ModelQuestion): string {
  return createHash('sha256')
    .update(`${system}\n${user.slice(0, sharedChars)}`)
    .digest('hex')
    .slice(0, 32);
}
