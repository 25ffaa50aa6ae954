import { z } from 'zod';
import { efforts } from '../../answer-limits.js';
import { type CompletionRequest, type Dialect, validateSchema, type WireFailure } from './dialect.js';
import { openAiDialect } from './openai-dialect.js';

const openAi = openAiDialect('openai');

/** OpenRouter: OpenAI's chat completions with its own errors and model metadata. */
export const openRouterDialect: Dialect = {
  keyHeader: openAi.keyHeader,
  isCompletionPath: path => path === '/api/v1/chat/completions',
  readRequest,
  reply: (request, answer) => openAi.reply(request, answer),
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
          supported_parameters: ['max_tokens', 'reasoning', 'response_format', 'structured_outputs'],
        },
      ],
    },
  }),
  error,
};

const requestShape = z.looseObject({
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

function readRequest(body: unknown, path: string): CompletionRequest {
  const { max_tokens: bound, provider: _, reasoning, ...rest } = requestShape.parse(body);
  const request = openAi.readRequest({ ...rest, max_completion_tokens: bound }, path);
  validateSchema(request.schema, schemaRules);
  const limits = {
    maxOutputTokens: bound,
    effort: reasoning && 'effort' in reasoning ? reasoning.effort : null,
    thinkingBudgetTokens: reasoning && 'max_tokens' in reasoning ? reasoning.max_tokens : null,
  };
  return { ...request, limits };
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
