import { z } from 'zod';
import type { AnswerLimits } from '../answer-limits.js';
import type { ModelProvider, ProviderSettings } from '../model-provider.js';
import type { ChatDialect, ChatFields } from './chat-dialect.js';
import { createOpenAiProvider } from './openai.js';
import { readOpenRouterAnswer, readOpenRouterError } from './openrouter-answer.js';
import { searchWithOpenRouter } from './openrouter-search.js';

/** Models of any vendor through OpenRouter, which implements OpenAI's chat completions and forwards them. */
export function createOpenRouterProvider(settings: ProviderSettings): ModelProvider {
  const baseUrl = settings.baseUrl ?? 'https://openrouter.ai/api/v1';
  return createOpenAiProvider({ ...settings, baseUrl }, openRouterDialect(settings));
}

const openRouterDialect = ({ billsCacheWrites = false }: ProviderSettings): ChatDialect => ({
  // OpenRouter forwards the schema unchanged, so it must contain only keywords that all vendors accept.
  // Anthropic rejects limits on numbers and lists; the descriptions state these limits, and the council
  // validates them.
  schemaKeywords: new Set(
    'type title description enum const anyOf $ref $defs properties required additionalProperties items'.split(
      ' ',
    ),
  ),
  extraFields: fieldsOf,
  readAnswer: readOpenRouterAnswer,
  search: (client, modelId, question, signal) =>
    searchWithOpenRouter(client, { modelId, question, fields: fieldsOf(question), billsCacheWrites }, signal),
  // The SDK's `models.retrieve` would escape the slash in the id.
  retrieveModel: async (client, modelId, options) => {
    modelShape.parse(await client.get(`/models/${modelId}/endpoints`, options));
  },
  readError: error => readOpenRouterError(error.error),
});

/**
 * `require_parameters` limits routing to hosts that support every field of the request; without it, a host that ignores
 * schemas or tools could answer. Few hosts support `max_completion_tokens`, so `max_tokens` is sent.
 */
function fieldsOf(limits: AnswerLimits): ChatFields {
  return {
    max_tokens: limits.maxOutputTokens,
    ...reasoningOf(limits),
    provider: { require_parameters: true },
  };
}

/** OpenRouter documents no effort above `xhigh`. */
function reasoningOf({ effort, thinkingBudgetTokens }: AnswerLimits): Pick<ChatFields, 'reasoning'> {
  if (thinkingBudgetTokens !== null) return { reasoning: { max_tokens: thinkingBudgetTokens } };
  return effort === null ? {} : { reasoning: { effort: effort === 'max' ? 'xhigh' : effort } };
}

const modelShape = z.object({ data: z.object({ id: z.string(), endpoints: z.array(z.unknown()) }) });
