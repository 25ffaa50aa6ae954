import { z } from 'zod';
import type { AnswerLimits } from '../../providers/answer-limits.js';
import type { SimulatedSearch } from '../search/findings.js';
import {
  anthropicSearchTools,
  pausedContentShape,
  resultTokens,
  searchBlocks,
  searchUsage,
} from './anthropic-search.js';
import {
  BadRequest,
  type CacheUse,
  type Caching,
  type CompletionRequest,
  type Dialect,
  type SearchRequest,
  tokensIn,
  validateSchema,
  type WireAnswer,
  type WireReply,
} from './dialect.js';

/** Anthropic's Messages API. */
export const anthropicDialect: Dialect = {
  keyHeader: 'x-api-key',
  isCompletionPath: path => path === '/v1/messages',
  readRequest: body => (hasTools(body) ? readSearchRequest(body) : readCompletionRequest(body)),
  reply,
  replyToSearch,
  blockListField: 'tools.0.web_search_20250305.blocked_domains',
  modelPathPrefix: '/v1/models/',
  modelInfo: modelId => ({
    id: modelId,
    type: 'model',
    display_name: 'Simulated model',
    created_at: '1970-01-01T00:00:00Z',
  }),
  error: ({ status, code, message, param }) =>
    errorBody(
      code ?? errorTypes.get(status) ?? 'api_error',
      param === undefined ? message : `${param}: Extra inputs are not permitted`,
    ),
};

/** Anthropic rejects a field that it does not know, also a budget beside adaptive thinking. */
const commonFields = {
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('adaptive') }),
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024) }),
    ])
    .optional(),
  system: z.string(),
};

const effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional();
const textBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  cache_control: z.strictObject({ type: z.literal('ephemeral') }).optional(),
});
const userMessage = z.object({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(textBlock).min(1)]),
});

const completionShape = z.strictObject({
  ...commonFields,
  messages: z.array(userMessage).min(1),
  output_config: z.strictObject({
    format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }),
    effort,
  }),
});

/** It has no schema: Anthropic rejects a format beside citations. A paused answer follows the question unchanged. */
const searchShape = z.strictObject({
  ...commonFields,
  messages: z.union([
    z.tuple([userMessage]),
    z.tuple([userMessage, z.object({ role: z.literal('assistant'), content: pausedContentShape })]),
  ]),
  output_config: z.strictObject({ effort }).optional(),
  tools: anthropicSearchTools,
});

function hasTools(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'tools' in body;
}

const schemaRules = {
  unsupportedKeywords: new Set(
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems'.split(
      ' ',
    ),
  ),
  closedObjects: true,
  allRequired: false,
};

function readCompletionRequest(body: unknown): CompletionRequest {
  const request = completionShape.parse(body);
  const { model: modelId, system, messages, output_config: output } = request;
  const { schema } = output.format;
  validateSchema(schema, schemaRules);
  const user = messages.map(({ content }) => textOf(content)).join('\n');
  const limits = limitsOf(request, output.effort);
  const caching = cachingOf(system, messages[0]?.content ?? '', output);
  return { kind: 'completion', modelId, system, user, schemaName: null, schema, limits, caching };
}

function readSearchRequest(body: unknown): SearchRequest {
  const request = searchShape.parse(body);
  const { messages, tools } = request;
  const [tool] = tools;
  return {
    kind: 'search',
    modelId: request.model,
    system: request.system,
    user: textOf(messages[0].content),
    caching: cachingOf(request.system, messages[0].content, [tools, request.output_config]),
    limits: limitsOf(request, request.output_config?.effort),
    blockedHosts: tool.blocked_domains ?? [],
    maxSearches: tool.max_uses ?? null,
    continues: messages.length > 1,
  };
}

type Content = z.infer<typeof userMessage>['content'];

function textOf(content: Content): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

/** Anthropic stores at the end of each marked block. A change of the tools, the schema or the effort loses all of it. */
function cachingOf(system: string, content: Content, settings: unknown): Caching {
  const blocks = typeof content === 'string' ? [] : content;
  const marks = blocks.flatMap(({ cache_control: mark }, index) =>
    mark === undefined ? [] : [system.length + textOf(blocks.slice(0, index + 1)).length],
  );
  return { vendor: 'anthropic', settings, marks };
}

function limitsOf(
  { max_tokens: maxOutputTokens, thinking }: Pick<z.infer<typeof completionShape>, 'max_tokens' | 'thinking'>,
  effort: z.infer<typeof completionShape>['output_config']['effort'],
): AnswerLimits {
  const budget = thinking?.type === 'enabled' ? thinking.budget_tokens : null;
  if (budget !== null && budget >= maxOutputTokens)
    throw new BadRequest('max_tokens must be above budget_tokens');
  return { maxOutputTokens, effort: effort ?? null, thinkingBudgetTokens: budget };
}

function reply(request: CompletionRequest, { id, text, ending }: WireAnswer, cache: CacheUse): WireReply {
  if (ending === 'filtered') return filtered();
  return message(request, {
    id,
    content: ending === 'refused' || text === '' ? [] : [{ type: 'text', text, citations: null }],
    ending,
    cache,
    inputTokens: 0,
    outputTokens: tokensIn(text),
    usage: {},
  });
}

function replyToSearch(request: SearchRequest, answer: SimulatedSearch, cache: CacheUse): WireReply {
  const { id, ending, prose, statements } = answer;
  if (ending === 'filtered') return filtered();
  const { continues } = request;
  // With a mark in the request, Anthropic also stores what it searched.
  const results = resultTokens(answer);
  return message(request, {
    id: continues ? `${id}_2` : id,
    content: ending === 'refused' ? [] : searchBlocks(answer, continues),
    ending,
    cache: { ...cache, writtenTokens: cache.writtenTokens + (cache.isMarked ? results : 0) },
    inputTokens: results,
    outputTokens: tokensIn(prose, ...statements.map(({ text }) => text)),
    usage: searchUsage(answer, continues),
  });
}

function message(request: CompletionRequest | SearchRequest, written: Message): WireReply {
  const { readTokens, writtenTokens } = written.cache;
  const inputTokens = tokensIn(request.system, request.user) + written.inputTokens;
  const body = {
    id: `msg_${written.id}`,
    type: 'message',
    role: 'assistant',
    model: request.modelId,
    content: written.content,
    stop_reason: stopReasons[written.ending],
    stop_sequence: null,
    usage: {
      input_tokens: inputTokens - readTokens - writtenTokens,
      output_tokens: written.outputTokens,
      cache_creation_input_tokens: writtenTokens,
      cache_read_input_tokens: readTokens,
      ...written.usage,
    },
  };
  return { status: 200, body };
}

interface Message {
  readonly id: string;
  readonly content: readonly unknown[];
  readonly ending: keyof typeof stopReasons;
  readonly cache: CacheUse;
  /** Besides those of the prompt. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly usage: object;
}

function filtered(): WireReply {
  const body = errorBody('invalid_request_error', 'Output blocked by content filtering policy');
  return { status: 400, body };
}

const stopReasons = {
  complete: 'end_turn',
  truncated: 'max_tokens',
  refused: 'refusal',
  paused: 'pause_turn',
} as const;

function errorBody(type: string, message: string) {
  return { type: 'error', error: { type, message }, request_id: 'req_simulated' };
}

const errorTypes: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);
