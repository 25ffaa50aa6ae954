/**
 * The four members of the council, by the short names callers see. The order is the order in which they
 * are asked to chair: the first healthy one writes the synthesis.
 */
export const councilModels = ['claude', 'gpt', 'gemini', 'grok'] as const;

export type CouncilModel = (typeof councilModels)[number];

/** The companies whose APIs are spoken. A council member is configured onto one of them (`models.yaml`). */
export const vendors = ['openai', 'anthropic', 'google', 'xai'] as const;

export type Vendor = (typeof vendors)[number];

/** Whose keys there can be: the vendors', and OpenRouter's, which reaches the models of all of them. */
export const keyVendors = [...vendors, 'openrouter'] as const;

export type KeyVendor = (typeof keyVendors)[number];

/** Whose keys are wanting for a whole council: none where OpenRouter's is there, else each vendor's that is not. */
export function missingKeys(held: readonly KeyVendor[]): readonly Vendor[] {
  return held.includes('openrouter') ? [] : vendors.filter(vendor => !held.includes(vendor));
}
