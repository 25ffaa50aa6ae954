/**
 * The four members of the council, by their public short names, in the order in which they are asked to
 * chair: the first healthy one writes the synthesis.
 */
export const councilModels = ['claude', 'gpt', 'gemini', 'grok'] as const;

export type CouncilModel = (typeof councilModels)[number];

/** The vendors whose APIs the service calls. `models.yaml` maps each council member to one of them. */
export const vendors = ['openai', 'anthropic', 'google', 'xai'] as const;

export type Vendor = (typeof vendors)[number];

/** The providers whose keys an account can store. OpenRouter serves the models of all vendors. */
export const keyVendors = [...vendors, 'openrouter'] as const;

export type KeyVendor = (typeof keyVendors)[number];

/** The vendors whose keys are missing for a full council. None if an OpenRouter key is stored. */
export function missingKeys(held: readonly KeyVendor[]): readonly Vendor[] {
  return held.includes('openrouter') ? [] : vendors.filter(vendor => !held.includes(vendor));
}
