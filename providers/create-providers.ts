import type { CouncilModel } from '../council/models.js';
import { createAnthropicProvider } from './anthropic-provider.js';
import { createGoogleProvider } from './google-provider.js';
import type { ModelCatalogue, ModelEntry } from './model-catalogue.js';
import { type CallLimits, type ModelProvider, ProviderError } from './model-provider.js';
import { createOpenAiProvider } from './openai-provider.js';
import type { ProviderSettings } from './provider-settings.js';
import type { Vendor } from './vendor.js';
import { createXaiProvider } from './xai-provider.js';

export interface ProvidersSetup {
  readonly catalogue: ModelCatalogue;
  /** The house's keys, or a caller's own. */
  readonly keys: Readonly<Partial<Record<Vendor, string>>>;
  /** Unset: the vendor's public address. */
  readonly baseUrls: Readonly<Partial<Record<Vendor, string>>>;
}

/** A provider for every member. One whose vendor has no key, or an unusable one, refuses every call as `unauthorised`. */
export function createProviders(setup: ProvidersSetup): Record<CouncilModel, ModelProvider> {
  const { catalogue } = setup;
  return {
    claude: providerOf(catalogue.claude, setup),
    gpt: providerOf(catalogue.gpt, setup),
    gemini: providerOf(catalogue.gemini, setup),
    grok: providerOf(catalogue.grok, setup),
  };
}

const factories: Readonly<Record<Vendor, (settings: ProviderSettings) => ModelProvider>> = {
  openai: createOpenAiProvider,
  anthropic: createAnthropicProvider,
  google: createGoogleProvider,
  xai: createXaiProvider,
};

function providerOf({ vendor, modelId }: ModelEntry, { keys, baseUrls }: ProvidersSetup): ModelProvider {
  const apiKey = keys[vendor];
  if (apiKey === undefined || !sendableKey.test(apiKey)) return withoutKey;
  return factories[vendor]({ apiKey, modelId, baseUrl: baseUrls[vendor] });
}

/** What an HTTP header can carry. `fetch` would name any other key in its error. */
const sendableKey = /^[\x21-\x7e]+$/;

/** Without a key the member is a named dropout, not a missing entry. */
const withoutKey: ModelProvider = { ask: refuse, checkModel: refuse };

async function refuse({ signal }: CallLimits): Promise<never> {
  signal.throwIfAborted();
  throw new ProviderError({ kind: 'unauthorised', retryable: false });
}
