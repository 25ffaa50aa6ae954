import { z } from 'zod';
import type { Vendor } from '../../council/models.js';
import { type AnswerLimits, efforts } from '../../providers/answer-limits.js';
import {
  type Caching,
  type CompletionRequest,
  type Dialect,
  type SearchRequest,
  validateSchema,
  type WireFailure,
} from './dialect.js';
import { readChatRequest, replyOfChat } from './openai-dialect.js';
import { annotatedChat, openRouterSearchTools } from './openrouter-search.js';

/** OpenRouter: OpenAI's chat completions with its own errors and model metadata. */
export const openRouterDialect: Dialect = {
  keyHeader: 'authorization',
  isCompletionPath: path => path === '/api/v1/chat/completions',
  readRequest,
  reply: replyOfChat,
  replyToSearch: annotatedChat,
  blockListField: 'tools[0].parameters.excluded_domains',
  modelPathPrefix: '/api/v1/models/',
  modelPathSuffix: '/endpoints',
  modelInfo: modelId => ({
    data: {
      id: modelId,
      name: 'Simulated model',
      created: 0,
      description: 'Simulated.',
      endpoints: [
        {
          name: 'Simulated',
          supported_parameters: ['max_tokens', 'reasoning', 'response_format', 'structured_outputs', 'tools'],
        },
      ],
    },
  }),
  error,
};

const commonFields = {
  max_tokens: z.int().positive(),
  // With `require_parameters`, OpenRouter would find no host for a request with this field.
  max_completion_tokens: z.never().optional(),
  provider: z.object({ require_parameters: z.boolean() }).optional(),
  // Either of the two, not both.
  reasoning: z
    .union([
      z.strictObject({ effort: z.enum(efforts).exclude(['max']) }),
      z.strictObject({ max_tokens: z.int().positive() }),
    ])
    .optional(),
};

const completionShape = z.looseObject(commonFields);

const content = z.union([
  z.string(),
  z.tuple([
    z.strictObject({
      type: z.literal('text'),
      text: z.string().min(1),
      cache_control: z.strictObject({ type: z.literal('ephemeral') }),
    }),
  ]),
]);

const searchShape = z.strictObject({
  ...commonFields,
  model: z.string().min(1),
  messages: z.array(z.object({ role: z.enum(['system', 'user']), content })).min(1),
  tools: openRouterSearchTools,
  tool_choice: z.enum(['auto', 'required']).optional(),
});

/** OpenRouter forwards the schema, so it must satisfy the strictest vendor, Anthropic. */
const schemaRules = {
  unsupportedKeywords: new Set(
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems pattern format'.split(
      ' ',
    ),
  ),
  closedObjects: true,
  allRequired: true,
};

function readRequest(body: unknown): CompletionRequest | SearchRequest {
  const isSearch = typeof body === 'object' && body !== null && 'tools' in body;
  return isSearch ? readSearchRequest(body) : readCompletionRequest(body);
}

function readCompletionRequest(body: unknown): CompletionRequest {
  const request = completionShape.parse(body);
  const { max_tokens: bound, provider: _, reasoning: __, ...rest } = request;
  const completion = readChatRequest({ ...rest, max_completion_tokens: bound });
  validateSchema(completion.schema, schemaRules);
  const { modelId, system, user, schema } = completion;
  const settings = [schema, request.reasoning];
  return { ...completion, limits: limitsOf(request), caching: cachingOf(modelId, [system, user], settings) };
}

/** The rules are those of the model's vendor. OpenAI's models store all of it without another wish. */
function cachingOf(modelId: string, texts: readonly string[], settings: unknown): Caching {
  const vendor = vendorByAuthor.get(modelId.split('/')[0] ?? '') ?? 'openai';
  return { vendor, settings, marks: vendor === 'openai' ? [texts.join('').length] : [] };
}

const vendorByAuthor: ReadonlyMap<string, Vendor> = new Map([
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['x-ai', 'xai'],
]);

function readSearchRequest(body: unknown): SearchRequest {
  const request = searchShape.parse(body);
  const [{ parameters }] = request.tools;
  const textOf = (of: string) =>
    request.messages
      .filter(({ role }) => role === of)
      .map(({ content: said }) => (typeof said === 'string' ? said : said[0].text))
      .join('\n');
  const [system, user] = [textOf('system'), textOf('user')];
  const caching = cachingOf(request.model, [system, user], [request.tools, request.reasoning]);
  const isMarked = request.messages.some(({ content: said }) => typeof said !== 'string');
  return {
    kind: 'search',
    modelId: request.model,
    system,
    user,
    caching: isMarked ? { ...caching, marks: [system.length + user.length] } : caching,
    limits: limitsOf(request),
    blockedHosts: parameters?.excluded_domains ?? [],
    maxSearches: parameters?.max_uses ?? null,
    continues: false,
  };
}

function limitsOf({ max_tokens: maxOutputTokens, reasoning }: z.infer<typeof completionShape>): AnswerLimits {
  return {
    maxOutputTokens,
    effort: reasoning && 'effort' in reasoning ? reasoning.effort : null,
    thinkingBudgetTokens: reasoning && 'max_tokens' in reasoning ? reasoning.max_tokens : null,
  };
}

/**
 * A three-digit code replaces the status in the body. With HTTP status 200, this is a failure after the
 * start.
 */
function error({ status, code, message }: WireFailure) {
  const asStatus = /^\d{3}$/.test(code ?? '') ? Number(code) : null;
  const metadata = code === null || asStatus !== null ? {} : { metadata: metadataOf(code) };
  return { error: { code: asStatus ?? status, message, ...metadata } };
}

function metadataOf(code: string): Readonly<Record<string, unknown>> {
  switch (code) {
    case 'insufficient_quota':
      return { limit_source: 'openrouter_credits' };
    case 'content_filter':
      return { reasons: ['simulated'], flagged_input: 'Simulated.', provider_name: 'Simulated' };
    default:
      return { error_type: code };
  }
}
