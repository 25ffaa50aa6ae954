import { type KeyVendor, keyVendors, type Vendor, vendors } from '../council/models.js';
import type { ProviderKeys } from './create-providers.js';

/** Where the service's own key for a vendor and another address of its API come from. */
export const vendorSettings = {
  openai: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL', usualUrl: 'https://api.openai.com' },
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    baseUrl: 'ANTHROPIC_BASE_URL',
    usualUrl: 'https://api.anthropic.com',
  },
  google: {
    key: 'GEMINI_API_KEY',
    baseUrl: 'GEMINI_BASE_URL',
    usualUrl: 'https://generativelanguage.googleapis.com',
  },
  xai: { key: 'XAI_API_KEY', baseUrl: 'XAI_BASE_URL', usualUrl: 'https://api.x.ai' },
} as const satisfies Record<Vendor, { key: string; baseUrl: string; usualUrl: string }>;

type KeyName = (typeof vendorSettings)[Vendor]['key'];
type AddressName = (typeof vendorSettings)[Vendor]['baseUrl'] | 'OPENROUTER_BASE_URL';

/** The keys and addresses of the vendors, by variable. */
export type VendorEnvironment = { readonly [Name in KeyName | AddressName]?: string | undefined };

/** OpenRouter is not among them: the service calls the vendors directly with its own keys. */
export function serviceKeys(environment: VendorEnvironment): ProviderKeys {
  return byVendor(vendors, vendor => environment[vendorSettings[vendor].key]);
}

/** The addresses that replace the vendors' public ones. */
export function serviceBaseUrls(
  environment: VendorEnvironment,
): Readonly<Partial<Record<KeyVendor, string>>> {
  return byVendor(keyVendors, vendor =>
    vendor === 'openrouter' ? environment.OPENROUTER_BASE_URL : environment[vendorSettings[vendor].baseUrl],
  );
}

/** The variables of a process that calls the vendors at these addresses with these keys. */
export function vendorEnvironment(
  keys: Readonly<Record<Vendor, string>>,
  baseUrls: Readonly<Record<Vendor, string> & Partial<Record<'openrouter', string>>>,
): VendorEnvironment {
  const environment: { [Name in KeyName | AddressName]?: string | undefined } = {
    OPENROUTER_BASE_URL: baseUrls.openrouter,
  };
  for (const vendor of vendors) {
    environment[vendorSettings[vendor].key] = keys[vendor];
    environment[vendorSettings[vendor].baseUrl] = baseUrls[vendor];
  }
  return environment;
}

function byVendor<Name extends KeyVendor>(
  names: readonly Name[],
  read: (name: Name) => string | undefined,
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
