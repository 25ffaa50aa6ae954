import type { KeyView, keyOperations, MintedKeyView, NewKey } from '../../contract/keys.js';
import type { ProviderKeyView, providerKeyOperations } from '../../contract/provider-keys.js';
import type { KeyVendor } from '../../council/models.js';
import {
  type ApiKey,
  apiKeyHash,
  listApiKeys,
  mintApiKey,
  revokeApiKey,
} from '../../db/accounts/api-keys.js';
import {
  deleteProviderKey,
  listProviderKeys,
  type ProviderKey,
  putProviderKey,
} from '../../db/accounts/provider-keys.js';
import { sealForNewRow } from '../../platform/keys/seal.js';
import { displayPrefix, makeApiKey } from '../../purchase/api-key.js';
import { type KeyLimits, keyEndFault } from '../../purchase/key-limits.js';
import { liveKeysPerAccount } from '../../purchase/limits.js';
import { mailNewKey, networkOfRequest } from '../auth/key-use.js';
import type { ApiContext } from '../context.js';
import { Problem } from '../http/problem.js';
import type { Handlers } from '../http/serve-operations.js';

/** API keys. */
export function keyHandlers(context: ApiContext): Handlers<typeof keyOperations> {
  const { db, newId, now, randomBytes } = context;
  return {
    mintKey: async ({ body, caller: { accountId }, request }) => {
      const key = makeApiKey(randomBytes);
      const minted = await mintApiKey(db, {
        id: newId(),
        accountId,
        name: body.name,
        keyPrefix: displayPrefix(key),
        keyHash: apiKeyHash(key),
        limits: limitsOf(body, now()),
        network: networkOfRequest(request),
        now: now(),
      });
      if (minted !== null) {
        mailNewKey(context, { accountId, keyPrefix: minted.key_prefix });
        return presentMintedKey(minted, key);
      }
      throw new Problem('key_limit_reached', `An account can have at most ${liveKeysPerAccount} live keys.`);
    },
    listKeys: async ({ caller }) => ({
      keys: (await listApiKeys(db, caller.accountId, now())).map(presentKey),
    }),
    revokeKey: async ({ parameters: { key_id }, caller }) => {
      if (await revokeApiKey(db, caller.accountId, key_id, now())) return null;
      throw new Problem('not_found', 'There is no key with this id.');
    },
  };
}

/** @throws Problem `invalid_request` for an end that has passed or is too far away */
function limitsOf({ scope = 'spend', expires_at, max_credits_per_day }: NewKey, now: Date): KeyLimits {
  const expiresAt = expires_at === undefined ? null : new Date(expires_at);
  const fault = expiresAt === null ? null : keyEndFault(expiresAt, now);
  if (fault === null) return { scope, expiresAt, maxCreditsPerDay: max_credits_per_day ?? null };
  const pointer = '#/expires_at';
  throw new Problem('invalid_request', `${pointer}: ${fault}`, { errors: [{ pointer, detail: fault }] });
}

/** The caller's own keys for the vendors' models. They are never returned. */
export function providerKeyHandlers(context: ApiContext): Handlers<typeof providerKeyOperations> {
  const { db } = context;
  return {
    listProviderKeys: async ({ caller }) => ({
      provider_keys: (await listProviderKeys(db, caller.accountId)).map(presentProviderKey),
    }),
    getProviderKey: async ({ parameters: { provider }, caller }) => {
      const keys = await listProviderKeys(db, caller.accountId);
      const key = keys.find(each => each.provider === provider);
      if (key === undefined) throw noStoredKey();
      return presentProviderKey(key);
    },
    putProviderKey: async ({ parameters: { provider }, body: { key }, caller: { accountId } }) =>
      presentProviderKey(await sealAndStore(context, { accountId, provider, key })),
    deleteProviderKey: async ({ parameters: { provider }, caller }) => {
      if (await deleteProviderKey(db, caller.accountId, provider)) return null;
      throw noStoredKey();
    },
  };
}

const shownCharacters = 4;

function sealAndStore(
  context: ApiContext,
  { accountId, provider, key }: { accountId: string; provider: KeyVendor; key: string },
): Promise<ProviderKey> {
  const { id, sealed } = sealForNewRow(context, key, { accountId, provider });
  return putProviderKey(context.db, {
    id,
    accountId,
    provider,
    sealed,
    last4: key.slice(-shownCharacters),
    now: context.now(),
  });
}

function noStoredKey(): Problem {
  return new Problem('not_found', 'No key is stored for this provider.');
}

/** The only response that contains the key. */
function presentMintedKey(minted: ApiKey, key: string): MintedKeyView {
  return { ...keyFields(minted), key, warning: 'Store this key now: it cannot be shown again.' };
}

function presentKey(key: ApiKey): KeyView {
  return { ...keyFields(key), last_used_at: key.last_used_at?.toISOString() ?? null };
}

function keyFields(key: ApiKey) {
  const { id, name, key_prefix, created_at, scope, expires_at, max_credits_per_day, last_used_from } = key;
  return {
    id,
    name,
    key_prefix,
    created_at: created_at.toISOString(),
    scope,
    expires_at: expires_at?.toISOString() ?? null,
    max_credits_per_day,
    last_used_from,
  };
}

function presentProviderKey({ provider, last4, updatedAt }: ProviderKey): ProviderKeyView {
  return { provider, last4, updated_at: updatedAt.toISOString() };
}
