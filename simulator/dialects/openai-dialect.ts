import { z } from 'zod';
import { type Effort, efforts } from '../../providers/answer-limits.js';
import {
  BadRequest,
  type CacheUse,
  type CompletionRequest,
  type Dialect,
  type SearchRequest,
  tokensIn,
  validateSchema,
  type WireAnswer,
  type WireFailure,
  type WireReply,
} from './dialect.js';
import { type ResponsesVendor, readResponsesRequest, replyOfResponses } from './responses-search.js';

/**
 * OpenAI's chat completions, and searches by its Responses API. `xai` selects xAI's search filters and its error format,
 * which is plain text.
 */
export function openAiDialect(vendor: ResponsesVendor): Dialect {
  return {
    keyHeader: 'authorization',
    isCompletionPath: path => path === '/v1/chat/completions' || path === responsesPath,
    readRequest: (body, path) =>
      path === responsesPath ? readResponsesRequest(body, vendor) : readChatOf(vendor, body),
    reply: replyOfChat,
    replyToSearch: (request, answer, cache) => replyOfResponses(request, answer, vendor, cache),
    blockListField:
      vendor === 'openai' ? 'tools[0].filters.blocked_domains' : 'tools[0].filters.excluded_domains',
    modelPathPrefix: '/v1/models/',
    modelInfo: modelId => ({ id: modelId, object: 'model', created: 0, owned_by: vendor }),
    error: vendor === 'openai' ? openAiError : xaiError,
  };
}

const responsesPath = '/v1/responses';

const effortsOf: Readonly<Record<ResponsesVendor, readonly Effort[]>> = {
  openai: efforts,
  xai: ['none', 'low', 'medium', 'high'],
};

/** The vendors reject a field that they do not know. */
const requestShape = z.strictObject({
  model: z.string().min(1),
  max_completion_tokens: z.int().positive(),
  reasoning_effort: z.enum(efforts).optional(),
  prompt_cache_options: z.strictObject({ mode: z.enum(['implicit', 'explicit']) }).optional(),
  messages: z.array(z.object({ role: z.enum(['system', 'developer', 'user']), content: z.string() })).min(1),
  response_format: z.object({
    type: z.literal('json_schema'),
    json_schema: z.object({
      name: z.string().regex(/^[\w-]{1,64}$/),
      strict: z.literal(true),
      schema: z.record(z.string(), z.unknown()),
    }),
  }),
});

const schemaRules = {
  unsupportedKeywords: new Set('allOf oneOf not if then else uniqueItems minLength maxLength'.split(' ')),
  closedObjects: true,
  allRequired: true,
};

function readChatOf(vendor: ResponsesVendor, body: unknown): CompletionRequest {
  const request = readChatRequest(body, effortsOf[vendor]);
  if (vendor === 'openai') return request;
  if (requestShape.parse(body).prompt_cache_options !== undefined)
    throw new BadRequest('unknown field prompt_cache_options');
  // xAI names nothing but the messages that have to be the same.
  return { ...request, caching: { vendor, settings: null, marks: [] } };
}

/** @throws ZodError or BadRequest if the vendor would respond with 400. */
export function readChatRequest(body: unknown, known: readonly Effort[] = efforts): CompletionRequest {
  const request = requestShape.parse(body);
  const { model, messages, response_format: format, reasoning_effort: effort = null } = request;
  if (effort !== null && !known.includes(effort))
    throw new BadRequest(`unsupported reasoning_effort ${effort}`);
  const { name, schema } = format.json_schema;
  validateSchema(schema, schemaRules);
  const textOf = (user: boolean) =>
    messages
      .filter(({ role }) => (role === 'user') === user)
      .map(({ content }) => content)
      .join('\n');
  const limits = { maxOutputTokens: request.max_completion_tokens, effort, thinkingBudgetTokens: null };
  const [system, user] = [textOf(false), textOf(true)];
  // The schema and the effort are part of the text before the messages. Without another wish, OpenAI stores all of it.
  const isImplicit = request.prompt_cache_options?.mode !== 'explicit';
  const marks = isImplicit ? [system.length + user.length] : [];
  const caching = { vendor: 'openai', settings: [schema, effort], marks } as const;
  return { kind: 'completion', modelId: model, system, user, schemaName: name, schema, limits, caching };
}

export function replyOfChat(
  request: CompletionRequest | SearchRequest,
  { id, text, ending }: WireAnswer,
  { readTokens, writtenTokens }: CacheUse,
  { message, usage, inputTokens }: SearchExtras = { message: {}, usage: {}, inputTokens: 0 },
): WireReply {
  const promptTokens = tokensIn(request.system, request.user) + inputTokens;
  const completionTokens = tokensIn(ending === 'refused' ? refusal : text);
  const body = {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: 0,
    model: request.modelId,
    choices: [{ index: 0, logprobs: null, ...choiceOf(text, ending, message) }],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
      prompt_tokens_details: { cached_tokens: readTokens, cache_write_tokens: writtenTokens },
      ...usage,
    },
  };
  return { status: 200, body };
}

/** What a search adds to the message, to the usage and to the tokens of the input. */
interface SearchExtras {
  readonly message: object;
  readonly usage: object;
  readonly inputTokens: number;
}

/** The model generates this text, so its tokens are billed. */
const refusal = 'Simulated refusal.';

function choiceOf(text: string, ending: WireAnswer['ending'], extras: object) {
  const message = { role: 'assistant', content: text, refusal: null };
  const choices = {
    complete: { message: { ...message, ...extras }, finish_reason: 'stop' },
    truncated: { message: { ...message, ...extras }, finish_reason: 'length' },
    refused: { message: { ...message, content: null, refusal }, finish_reason: 'stop' },
    filtered: { message, finish_reason: 'content_filter' },
  } as const;
  return choices[ending];
}

function openAiError({ message, code, param }: WireFailure) {
  return param === undefined
    ? { error: { message, type: 'simulated_error', param: null, code } }
    : { error: { message, type: 'invalid_request_error', param, code: 'unknown_parameter' } };
}

function xaiError({ status, message, code }: WireFailure) {
  return { code: `Simulated error ${status}`, error: xaiTexts.get(code ?? '') ?? message };
}

/** xAI has no error codes; these are its texts for them. */
const xaiTexts: ReadonlyMap<string, string> = new Map([
  ['invalid_api_key', 'Incorrect API key provided: si***ed.'],
  [
    'insufficient_quota',
    'Your team has either used all available credits or reached its monthly spending limit.',
  ],
  ['content_filter', 'Content violates usage guidelines.'],
]);
