import { byokCredits, type KeyVendor, missingKeys } from '../../../contract/product.js';

/** Names of the vendors, and the council members that their keys run. */
export const vendorNames: Readonly<Record<KeyVendor, { readonly name: string; readonly runs: string }>> = {
  openai: { name: 'OpenAI', runs: 'GPT' },
  anthropic: { name: 'Anthropic', runs: 'Claude' },
  google: { name: 'Google', runs: 'Gemini' },
  xai: { name: 'xAI', runs: 'Grok' },
  openrouter: { name: 'OpenRouter', runs: 'all four' },
};

/** Whether reports can be run with these keys, and which keys are missing. */
export function ownKeysText(held: readonly KeyVendor[]): {
  readonly isReady: boolean;
  readonly text: string;
} {
  const missing = missingKeys(held);
  if (missing.length === 0) {
    const through = held.includes('openrouter') ? 'through OpenRouter' : 'with a key for each model';
    return {
      isReady: true,
      text: `You can run reports with your own keys, ${through}. A fresh report costs ${byokCredits} credits, and the vendors bill you for the models.`,
    };
  }
  const names = missing.map(vendor => vendorNames[vendor].name);
  const list = names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return {
    isReady: false,
    text: `To run reports with your own keys, add keys for ${list}. One OpenRouter key works for all four.`,
  };
}
