import { fileURLToPath } from 'node:url';
import { type CouncilModel, councilModels, type KeyVendor, type Vendor } from '../../council/models.js';
import { createProviders } from '../../providers/create-providers.js';
import { loadModelCatalogue, type ModelCatalogue } from '../../providers/model-catalogue.js';
import type { ModelProvider } from '../../providers/model-provider.js';

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
