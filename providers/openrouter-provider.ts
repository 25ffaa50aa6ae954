import { z } from 'zod';
import type { ChatDialect } from './chat-dialect.js';
import type { ModelProvider } from './model-provider.js';
import { createOpenAiProvider } from './openai-provider.js';
import type { ProviderSettings } from './provider-settings.js';
import { readOpenRouterAnswer } from './read-openrouter-answer.js';
import { readOpenRouterError } from './read-openrouter-error.js';

/** Any vendor's model by OpenRouter, which speaks OpenAI's chat completions and passes them on. */
export function createOpenRouterProvider(settings: ProviderSettings): ModelProvider {
  const baseUrl = settings.baseUrl ?? 'https://openrouter.ai/api/v1';
  return createOpenAiProvider({ ...settings, baseUrl }, openRouterDialect);
}

const openRouterDialect: ChatDialect = {
  // It passes the schema on as it is, so no keyword may be in it that any of the vendors refuses: Anthropic takes no
  // bounds of numbers and lists. The descriptions tell the model of them, and the council checks them again.
  schemaKeywords: new Set(
    'type title description enum const anyOf $ref $defs properties required additionalProperties items'.split(
      ' ',
    ),
  ),
  extraFields: maxOutputTokens => ({
    // With `require_parameters` only those serve a model who list every field that is sent, and few of them list
    // `max_completion_tokens`. Without it, one who knows nothing of schemas could answer.
    max_tokens: maxOutputTokens,
    provider: { require_parameters: true },
  }),
  readAnswer: readOpenRouterAnswer,
  // Not by the SDK's `models.retrieve`, which escapes the slash in the id.
  fetchCard: async (client, modelId, options) => {
    cardShape.parse(await client.get(`/models/${modelId}/endpoints`, options));
  },
  readError: error => readOpenRouterError(error.error),
};

const cardShape = z.object({ data: z.object({ id: z.string(), endpoints: z.array(z.unknown()) }) });
