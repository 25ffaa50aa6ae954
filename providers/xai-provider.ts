import type { ModelProvider } from './model-provider.js';
import { createOpenAiProvider } from './openai-provider.js';
import type { ProviderSettings } from './provider-settings.js';

/** Grok: xAI speaks OpenAI's chat completions at its own address. */
export function createXaiProvider(settings: ProviderSettings): ModelProvider {
  return createOpenAiProvider({ ...settings, baseUrl: settings.baseUrl ?? 'https://api.x.ai/v1' });
}
