import { z } from 'zod';
import { type CompletionRequest, type Dialect, refuseSchema, type WireFailure } from './dialect.js';
import { openAiDialect } from './openai-dialect.js';

const openAi = openAiDialect('openai');

/** OpenRouter: OpenAI's chat completions with its own errors, its own cards, and vendors of all kinds behind it. */
export const openRouterDialect: Dialect = {
  keyHeader: openAi.keyHeader,
  isCompletionPath: path => path === '/api/v1/chat/completions',
  readRequest,
  reply: (ask, answer) => openAi.reply(ask, answer),
  modelPathPrefix: '/api/v1/models/',
  modelPathSuffix: '/endpoints',
  card: modelId => ({
    data: {
      id: modelId,
      name: 'Simulated model',
      created: 0,
      description: 'Simulated.',
      endpoints: [
        { name: 'Simulated', supported_parameters: ['max_tokens', 'response_format', 'structured_outputs'] },
      ],
    },
  }),
  error,
};

const requestShape = z.looseObject({
  max_tokens: z.int().positive(),
  // With `require_parameters` no endpoint would be found for a request that says this.
  max_completion_tokens: z.never().optional(),
  provider: z.object({ require_parameters: z.boolean() }).optional(),
});

/** OpenRouter takes what one of its vendors takes; a schema of ours is to suit the strictest, Anthropic. */
const schemaRules = {
  refusedKeywords: new Set(
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems pattern format'.split(
      ' ',
    ),
  ),
  closedObjects: true,
  allRequired: true,
};

function readRequest(body: unknown, path: string): CompletionRequest {
  const { max_tokens: bound, ...rest } = requestShape.parse(body);
  const ask = openAi.readRequest({ ...rest, max_completion_tokens: bound }, path);
  refuseSchema(ask.schema, schemaRules);
  return ask;
}

/** A code of three digits is put in place of the status: with status 200 that is a failure within an answer. */
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
