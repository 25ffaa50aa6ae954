import { fileURLToPath } from 'node:url';
import { createProviders } from '../../providers/create-providers.js';
import { loadModelCatalogue, type ModelCatalogue } from '../../providers/model-catalogue.js';
import type { Vendor } from '../../providers/vendor.js';

export const cataloguePath = fileURLToPath(new URL('../../providers/models.yaml', import.meta.url));

/** A key that is easy to find again, should it leak. */
export const secretKey = 'sk-secret-0123456789abcdef';

const allKeys: Record<Vendor, string> = {
  openai: secretKey,
  anthropic: secretKey,
  google: secretKey,
  xai: secretKey,
};

/** The catalogue that is shipped. */
export function shippedCatalogue(): ModelCatalogue {
  return loadModelCatalogue(cataloguePath);
}

/** All four members, every vendor at its own base URL. */
export function providersAt(baseUrls: Partial<Record<Vendor, string>>, catalogue = shippedCatalogue()) {
  return createProviders({ catalogue, keys: allKeys, baseUrls });
}
