import type { KeyView, MintedKeyView } from '../../contract/keys.js';
import type { ProviderKeyView } from '../../contract/provider-keys.js';
import type { ApiKey } from '../../db/accounts/api-keys.js';
import type { ProviderKey } from '../../db/accounts/provider-keys.js';

/** The only response that contains the key. */
export function presentMintedKey(minted: ApiKey, key: string): MintedKeyView {
  return { ...keyFields(minted), key, warning: 'Store this key now: it cannot be shown again.' };
}

export function presentKey(key: ApiKey): KeyView {
  return { ...keyFields(key), last_used_at: key.last_used_at?.toISOString() ?? null };
}

function keyFields({ id, name, key_prefix, created_at }: ApiKey) {
  return { id, name, key_prefix, created_at: created_at.toISOString() };
}

export function presentProviderKey({ provider, last4, updatedAt }: ProviderKey): ProviderKeyView {
  return { provider, last4, updated_at: updatedAt.toISOString() };
}
