import { z } from 'zod';
import {
  type Answer,
  BadRequest,
  type CompletionRequest,
  type Dialect,
  tokensIn,
  validateSchema,
  type WireReply,
} from './dialect.js';

/** Anthropic's Messages API. */
export const anthropicDialect: Dialect = {
  keyHeader: 'x-api-key',
  isCompletionPath: path => path === '/v1/messages',
  readRequest,
  reply,
  modelPathPrefix: '/v1/models/',
  modelInfo: modelId => ({
    id: modelId,
    type: 'model',
    display_name: 'Simulated model',
    created_at: '1970-01-01T00:00:00Z',
  }),
  error: ({ status, code, message }) => errorBody(code ?? errorTypes.get(status) ?? 'api_error', message),
};

/** Anthropic rejects a field that it does not know, also a budget beside adaptive thinking. */
const requestShape = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('adaptive') }),
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024) }),
    ])
    .optional(),
  system: z.string(),
  messages: z.array(z.object({ role: z.literal('user'), content: z.string() })).min(1),
  output_config: z.strictObject({
    format: z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.unknown()) }),
    effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
  }),
});

const schemaRules = {
  unsupportedKeywords: new Set(
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength maxItems uniqueItems'.split(
      ' ',
    ),
  ),
  closedObjects: true,
  allRequired: false,
};

function readRequest(body: unknown): CompletionRequest {
  const request = requestShape.parse(body);
  const { model, system, messages, output_config: output, max_tokens: maxOutputTokens } = request;
  const { schema } = output.format;
  validateSchema(schema, schemaRules);
  const user = messages.map(({ content }) => content).join('\n');
  const budget = request.thinking?.type === 'enabled' ? request.thinking.budget_tokens : null;
  if (budget !== null && budget >= maxOutputTokens)
    throw new BadRequest('max_tokens must be above budget_tokens');
  const limits = { maxOutputTokens, effort: output.effort ?? null, thinkingBudgetTokens: budget };
  return { modelId: model, system, user, schemaName: null, schema, limits };
}

function reply(request: CompletionRequest, { id, text, ending }: Answer): WireReply {
  if (ending === 'filtered') {
    const body = errorBody('invalid_request_error', 'Output blocked by content filtering policy');
    return { status: 400, body };
  }
  const body = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: request.modelId,
    content: ending === 'refused' || text === '' ? [] : [{ type: 'text', text, citations: null }],
    stop_reason: stopReasons[ending],
    stop_sequence: null,
    usage: {
      input_tokens: tokensIn(request.system, request.user),
      output_tokens: tokensIn(text),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
  };
  return { status: 200, body };
}

const stopReasons = { complete: 'end_turn', truncated: 'max_tokens', refused: 'refusal' } as const;

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
