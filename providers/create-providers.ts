import { type CouncilModel, type KeyVendor, keyVendors } from '../council/models.js';
import type { ModelCatalogue, ModelEntry } from './model-catalogue.js';
import {
  type CallLimits,
  type ModelProvider,
  ProviderError,
  type ProviderSettings,
} from './model-provider.js';
import { createAnthropicProvider } from './vendors/anthropic.js';
import { createGoogleProvider } from './vendors/google.js';
import { createOpenAiProvider, createXaiProvider } from './vendors/openai.js';
import { createOpenRouterProvider } from './vendors/openrouter.js';

export interface ProvidersSetup {
  readonly catalogue: ModelCatalogue;
  readonly keys: ProviderKeys;
  /** Unset: the vendor's public address. */
  readonly baseUrls: Readonly<Partial<Record<KeyVendor, string>>>;
}

/** The house's keys, or a caller's own. One for `openrouter` stands in for all the others (`route-of.ts`). */
export type ProviderKeys = Readonly<Partial<Record<KeyVendor, string>>>;

/**
 * A provider for every member. One whose vendor has no key, or an unusable one, refuses every call as `unauthorised`.
 * With a key for OpenRouter all four members are asked through OpenRouter, by their OpenRouter model ids.
 */
export function createProviders(setup: ProvidersSetup): Record<CouncilModel, ModelProvider> {
  const { catalogue } = setup;
  return {
    claude: providerOf(catalogue.claude, setup),
    gpt: providerOf(catalogue.gpt, setup),
    gemini: providerOf(catalogue.gemini, setup),
    grok: providerOf(catalogue.grok, setup),
  };
}

const factories: Readonly<Record<KeyVendor, (settings: ProviderSettings) => ModelProvider>> = {
  openai: createOpenAiProvider,
  anthropic: createAnthropicProvider,
  google: createGoogleProvider,
  xai: createXaiProvider,
  openrouter: createOpenRouterProvider,
};

function providerOf(entry: ModelEntry, { keys, baseUrls }: ProvidersSetup): ModelProvider {
  const held = keyVendors.filter(vendor => keys[vendor] !== undefined);
  const { vendor, modelId } = vendorRoute(entry, held);
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

/** By whose API a member is asked, and under which name. */
export interface Route {
  readonly vendor: KeyVendor;
  readonly modelId: string;
}

/**
 * The way to a member with these keys. Where there is one for OpenRouter it is the only one that is used, for all
 * members, not even another's when OpenRouter refuses it: who brings a single key for the whole council is to find
 * every call on that key's bill, and none on another's.
 */
export function vendorRoute(entry: ModelEntry, held: readonly KeyVendor[]): Route {
  return held.includes('openrouter')
    ? { vendor: 'openrouter', modelId: entry.openRouterModelId }
    : { vendor: entry.vendor, modelId: entry.modelId };
}
