import { Anthropic, APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { z } from 'zod';
import {
  type CallLimits,
  type ModelAnswer,
  type ModelProvider,
  type ModelQuestion,
  ProviderError,
  type ProviderSettings,
} from '../model-provider.js';
import { effortOf, thinkingOf, tokensShape, usageOf } from './anthropic-fields.js';
import { searchWithAnthropic } from './anthropic-search.js';
import { askVendor } from './ask-vendor.js';
import {
  classifyBrokenExchange,
  classifyHttpFailure,
  codeInErrorText,
  lostConnection,
  truncatedAnswer,
  unusableAnswer,
} from './failures.js';
import { fetchWithHeaders } from './fetch-with-headers.js';

/** Anthropic's Messages API. One HTTP request per answer; structured output with `output_config.format`. */
export function createAnthropicProvider(settings: ProviderSettings): ModelProvider {
  const client = createClient(settings);
  return {
    ask: question =>
      askVendor(
        question,
        async signal => readMessage(await send(client, settings, question, signal), settings),
        classify,
      ),
    search: question => searchWithAnthropic(client, settings, question, classify),
    checkModel: limits =>
      askVendor(limits, signal => retrieveModel(client, settings, limits, signal), classify),
  };
}

function createClient({ apiKey, baseUrl }: ProviderSettings): Anthropic {
  return new Anthropic({
    apiKey,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    // The SDK sends a key as a bearer token; gateways also read `x-api-key`.
    fetch: fetchWithHeaders({
      'anthropic-version': apiVersion,
      authorization: `Bearer ${apiKey}`,
      'x-api-key': apiKey,
    }),
    // Set every other option that the SDK would read from the environment.
    webhookKey: null,
    logLevel: 'off',
    openTelemetry: false,
    maxRetries: 0,
  });
}

/** The version of the wire format, as the SDK speaks it. */
const apiVersion = '2026-10-21';

function send(
  client: Anthropic,
  { modelId }: ProviderSettings,
  question: ModelQuestion,
  signal: AbortSignal,
): Promise<unknown> {
  return client.messages.create(
    {
      model: modelId,
      max_tokens: question.maxOutputTokens,
      system: question.system,
      messages: [{ role: 'user', content: question.user }],
      ...thinkingOf(question),
      output_config: {
        // The SDK's own transformation moves constraints that Anthropic cannot enforce into the descriptions.
        format: { type: 'json_schema', schema: transformJSONSchema(question.schema) },
        ...effortOf(question),
      },
    },
    { signal, timeout: question.timeoutMs, maxRetries: 0 },
  );
}

async function retrieveModel(
  client: Anthropic,
  { modelId }: ProviderSettings,
  { timeoutMs }: CallLimits,
  signal: AbortSignal,
): Promise<void> {
  modelShape.parse(await client.models.retrieve(modelId, {}, { signal, timeout: timeoutMs, maxRetries: 0 }));
}

/** For an alias, the vendor returns the model behind it, so the id can differ from the requested one. */
const modelShape = z.object({ id: z.string() });

const messageShape = z.object({
  model: z.string().optional(),
  stop_reason: z.string().nullable(),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })),
  usage: tokensShape,
});

function readMessage(body: unknown, { modelId }: ProviderSettings): ModelAnswer {
  const { content, model, stop_reason: stop, usage: tokens } = messageShape.parse(body);
  const usage = usageOf(model ?? modelId, tokens);
  if (stop === 'max_tokens') throw truncatedAnswer(usage);
  if (stop === 'refusal') throw unusableAnswer('refused', usage);
  const text = content.map(block => (block.type === 'text' ? (block.text ?? '') : '')).join('');
  if (stop !== 'end_turn' || text.trim() === '') throw unusableAnswer('invalid_answer', usage);
  return { text, ...usage };
}

function classify(error: unknown): ProviderError {
  if (error instanceof APIConnectionTimeoutError) {
    return new ProviderError({ kind: 'timed_out', retryable: true });
  }
  if (error instanceof APIConnectionError) {
    return lostConnection(error);
  }
  if (error instanceof APIError && error.status !== undefined) {
    const code = codeInErrorText(error.apiMessage ?? '') ?? error.type;
    const { status, headers } = error;
    return classifyHttpFailure({ status, headers: headers ?? null, code, nowMs: Date.now() });
  }
  return classifyBrokenExchange(error);
}
