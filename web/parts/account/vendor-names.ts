import type { KeyVendor } from '../../../contract/product.js';

/** What the providers are called, and which member of the council their keys run. */
export const vendorNames: Readonly<Record<KeyVendor, { readonly name: string; readonly runs: string }>> = {
  openai: { name: 'OpenAI', runs: 'GPT' },
  anthropic: { name: 'Anthropic', runs: 'Claude' },
  google: { name: 'Google', runs: 'Gemini' },
  xai: { name: 'xAI', runs: 'Grok' },
  openrouter: { name: 'OpenRouter', runs: 'all four' },
};
