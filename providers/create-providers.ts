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
  /** Defaults to the vendor's public API. */
  readonly baseUrls: Readonly<Partial<Record<KeyVendor, string>>>;
}

/**
 * The service's keys or a caller's own. An `openrouter` key replaces all others (see {@link vendorRoute}).
 */
export type ProviderKeys = Readonly<Partial<Record<KeyVendor, string>>>;

/**
 * Creates a provider for each member. If a vendor's key is missing or unusable, its provider rejects every
 * call as `unauthorised`, searches included. With an OpenRouter key, all four members are called through OpenRouter with
 * their OpenRouter ids, and search with OpenRouter's tool. Every provider can search; whether its member does is decided
 * by `search` in the catalogue.
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
  const availableKeys = keyVendors.filter(vendor => keys[vendor] !== undefined);
  const { vendor, modelId } = vendorRoute(entry, availableKeys);
  const apiKey = keys[vendor];
  if (apiKey === undefined || !headerSafeKey.test(apiKey)) return withoutKey;
  const billsCacheWrites = entry.cacheWriteUsdPerMillionTokens !== null;
  return factories[vendor]({ apiKey, modelId, billsCacheWrites, baseUrl: baseUrls[vendor] });
}

/** Characters allowed in an HTTP header. `fetch` would quote a key with any other character in its error. */
const headerSafeKey = /^[\x21-\x7e]+$/;

/** A member without a key appears as a dropout in the report instead of being left out. */
const withoutKey: ModelProvider = { ask: refuse, search: refuse, checkModel: refuse };

async function refuse({ signal }: CallLimits): Promise<never> {
  signal.throwIfAborted();
  throw new ProviderError({ kind: 'unauthorised', retryable: false });
}

/** The vendor API that serves a member, and the model's id there. */
export interface Route {
  readonly vendor: KeyVendor;
  readonly modelId: string;
}

/**
 * Selects the vendor for a member. If there is an OpenRouter key, it is used for all members, without falling
 * back to another key when OpenRouter rejects a call: a caller with an OpenRouter key expects every call on
 * its bill.
 */
export function vendorRoute(entry: ModelEntry, availableKeys: readonly KeyVendor[]): Route {
  return availableKeys.includes('openrouter')
    ? { vendor: 'openrouter', modelId: entry.openRouterModelId }
    : { vendor: entry.vendor, modelId: entry.modelId };
}
