import { fileURLToPath } from 'node:url';
import { type CouncilModel, councilModels, type KeyVendor, type Vendor } from '../../council/models.js';
import { createProviders } from '../../providers/create-providers.js';
import { loadModelCatalogue, type ModelCatalogue } from '../../providers/model-catalogue.js';
import type { ModelProvider } from '../../providers/model-provider.js';
import type { ProviderEnvironment } from '../../providers/open-providers.js';

export const cataloguePath = fileURLToPath(new URL('../../providers/models.yaml', import.meta.url));

/** A distinctive key, so that tests can detect a leak. */
export const secretKey = 'sk-secret-0123456789abcdef';

export const allKeys: Record<Vendor, string> = {
  openai: secretKey,
  anthropic: secretKey,
  google: secretKey,
  xai: secretKey,
};

/** The catalogue that ships with the service. */
export function shippedCatalogue(): ModelCatalogue {
  return loadModelCatalogue(cataloguePath);
}

/** All adapters: one per member, and OpenRouter's with Claude behind it. */
export const adapters = [...councilModels, 'openrouter'] as const;

export type Adapter = (typeof adapters)[number];

export function memberBehind(adapter: Adapter): CouncilModel {
  return adapter === 'openrouter' ? 'claude' : adapter;
}

/** The model id that the adapter requests. */
export function modelIdOf(adapter: Adapter, catalogue = shippedCatalogue()): string {
  const entry = catalogue[memberBehind(adapter)];
  return adapter === 'openrouter' ? entry.openRouterModelId : entry.modelId;
}

export type BaseUrls = Partial<Record<KeyVendor, string>>;

/** All adapters, each with its own base URL. */
export function providersAt(
  baseUrls: BaseUrls,
  catalogue = shippedCatalogue(),
): Record<Adapter, ModelProvider> {
  return {
    ...createProviders({ catalogue, keys: allKeys, baseUrls }),
    openrouter: throughOpenRouter(baseUrls, catalogue)[memberBehind('openrouter')],
  };
}

/** All four members with one OpenRouter key. */
export function throughOpenRouter(baseUrls: BaseUrls, catalogue = shippedCatalogue()) {
  return createProviders({ catalogue, keys: { openrouter: secretKey }, baseUrls });
}

/** The settings of live models at these base URLs. */
export function liveSettings(keys: Record<Vendor, string>, baseUrls: Record<KeyVendor, string>) {
  return {
    COUNCIL_PROVIDERS: 'live',
    OPENAI_API_KEY: keys.openai,
    ANTHROPIC_API_KEY: keys.anthropic,
    GEMINI_API_KEY: keys.google,
    XAI_API_KEY: keys.xai,
    OPENAI_BASE_URL: baseUrls.openai,
    ANTHROPIC_BASE_URL: baseUrls.anthropic,
    GEMINI_BASE_URL: baseUrls.google,
    XAI_BASE_URL: baseUrls.xai,
    OPENROUTER_BASE_URL: baseUrls.openrouter,
  } satisfies ProviderEnvironment;
}

/** One server in the place of all vendors. */
export function everyVendorAt(url: string): Record<KeyVendor, string> {
  return { openai: url, anthropic: url, google: url, xai: url, openrouter: url };
}
