import type { KeyVendor } from '../council/vendor.js';
import type { ModelEntry } from './model-catalogue.js';

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
export function routeOf(entry: ModelEntry, held: readonly KeyVendor[]): Route {
  return held.includes('openrouter')
    ? { vendor: 'openrouter', modelId: entry.openRouterModelId }
    : { vendor: entry.vendor, modelId: entry.modelId };
}
