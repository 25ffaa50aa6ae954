import { byokCredits, type KeyVendor, missingKeys } from '../../../contract/product.js';

/** What the providers are called, and which member of the council their keys run. */
export const vendorNames: Readonly<Record<KeyVendor, { readonly name: string; readonly runs: string }>> = {
  openai: { name: 'OpenAI', runs: 'GPT' },
  anthropic: { name: 'Anthropic', runs: 'Claude' },
  google: { name: 'Google', runs: 'Gemini' },
  xai: { name: 'xAI', runs: 'Grok' },
  openrouter: { name: 'OpenRouter', runs: 'all four' },
};

/** Whether reports can be run on these keys, and what is still missing. */
export function ownKeysWords(held: readonly KeyVendor[]): {
  readonly isReady: boolean;
  readonly text: string;
} {
  const missing = missingKeys(held);
  if (missing.length === 0) {
    const through = held.includes('openrouter') ? 'through OpenRouter' : 'with a key for each model';
    return {
      isReady: true,
      text: `You can run reports on your own keys, ${through}. A fresh one takes ${byokCredits} credits; the models bill you.`,
    };
  }
  const names = missing.map(vendor => vendorNames[vendor].name);
  const wanting =
    names.length === 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return {
    isReady: false,
    text: `Still missing for a report on your own keys: ${wanting}. Or one key of OpenRouter, which alone is enough for all four.`,
  };
}
