import { type Request, type RequestHandler, Router } from 'express';
import { keyParameters, newKeySchema } from '../../contract/keys.js';
import { providerKeySchema, providerParameter } from '../../contract/provider-keys.js';
import { type KeyVendor, keyVendors } from '../../council/models.js';
import { apiKeyHash, listApiKeys, mintApiKey, revokeApiKey } from '../../db/accounts/api-keys.js';
import {
  deleteProviderKey,
  listProviderKeys,
  type ProviderKey,
  putProviderKey,
} from '../../db/accounts/provider-keys.js';
import { seal } from '../../platform/keys/seal.js';
import { displayPrefix, makeApiKey } from '../../purchase/api-key.js';
import { liveKeysPerAccount } from '../../purchase/limits.js';
import { principalOf, sessionOnly } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { parseBody } from '../http/parse.js';
import { Problem } from '../http/problem.js';
import { presentKey, presentMintedKey, presentProviderKey } from '../present/keys.js';

/**
 * `/api/keys`: API keys. Sessions only, so that a leaked key cannot create others.
 * @param limitKeys limits how many keys an account creates
 */
export function keysRouter(context: ApiContext, limitKeys: RequestHandler): Router {
  return Router()
    .post('/', sessionOnly(context), limitKeys, mintKey(context))
    .get('/', sessionOnly(context), listKeys(context))
    .delete('/:key_id', sessionOnly(context), revokeKey(context));
}

function mintKey({ db, newId, now, randomBytes }: ApiContext): RequestHandler {
  return async (request, response) => {
    const { name } = parseBody(newKeySchema, request);
    const key = makeApiKey(randomBytes);
    const minted = await mintApiKey(db, {
      id: newId(),
      accountId: principalOf(response).accountId,
      name,
      keyPrefix: displayPrefix(key),
      keyHash: apiKeyHash(key),
      now: now(),
    });
    if (minted === null) {
      throw new Problem('key_limit_reached', `An account can have at most ${liveKeysPerAccount} live keys.`);
    }
    response.status(201).json(presentMintedKey(minted, key));
  };
}

function listKeys({ db }: ApiContext): RequestHandler {
  return async (_request, response) => {
    const keys = await listApiKeys(db, principalOf(response).accountId);
    response.json({ keys: keys.map(presentKey) });
  };
}

function revokeKey({ db, now }: ApiContext): RequestHandler {
  return async (request, response) => {
    const { success, data } = keyParameters.safeParse(request.params);
    const { accountId } = principalOf(response);
    const revoked = success && (await revokeApiKey(db, accountId, data.key_id, now()));
    if (!revoked) throw new Problem('not_found', 'There is no live key with this id.');
    response.status(204).end();
  };
}

/** `/api/provider-keys`: own keys for the vendors' models. Sessions only; keys are never returned. */
export function providerKeysRouter(context: ApiContext): Router {
  return Router()
    .use(sessionOnly(context))
    .get('/', listProviderKeysOf(context))
    .get('/:provider', readProviderKey(context))
    .put('/:provider', storeProviderKey(context))
    .delete('/:provider', removeProviderKey(context));
}

function listProviderKeysOf({ db }: ApiContext): RequestHandler {
  return async (_request, response) => {
    const keys = await listProviderKeys(db, principalOf(response).accountId);
    response.json({ provider_keys: keys.map(presentProviderKey) });
  };
}

function readProviderKey({ db }: ApiContext): RequestHandler {
  return async (request, response) => {
    const provider = parseProvider(request);
    const keys = await listProviderKeys(db, principalOf(response).accountId);
    const key = keys.find(each => each.provider === provider);
    if (key === undefined) throw noStoredKey();
    response.json(presentProviderKey(key));
  };
}

function storeProviderKey(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const provider = parseProvider(request);
    const { key } = parseBody(providerKeySchema, request);
    const { accountId } = principalOf(response);
    response.json(presentProviderKey(await sealAndStore(context, { accountId, provider, key })));
  };
}

/** Runs that are in progress lose the key too: their remaining calls to this provider fail. */
function removeProviderKey({ db }: ApiContext): RequestHandler {
  return async (request, response) => {
    const provider = parseProvider(request);
    if (!(await deleteProviderKey(db, principalOf(response).accountId, provider))) throw noStoredKey();
    response.status(204).end();
  };
}

const shownCharacters = 4;

function sealAndStore(
  { db, keyRing, newId, randomBytes, now }: ApiContext,
  { accountId, provider, key }: { accountId: string; provider: KeyVendor; key: string },
): Promise<ProviderKey> {
  const id = newId();
  const sealed = seal(keyRing, key, { keyId: id, accountId, provider }, randomBytes);
  return putProviderKey(db, {
    id,
    accountId,
    provider,
    sealed,
    last4: key.slice(-shownCharacters),
    now: now(),
  });
}

function parseProvider(request: Request): KeyVendor {
  const provider = providerParameter.safeParse(request.params['provider']);
  if (provider.success) return provider.data;
  throw new Problem('not_found', `Unknown provider. Valid values: ${keyVendors.join(', ')}.`);
}

function noStoredKey(): Problem {
  return new Problem('not_found', 'No key is stored for this provider.');
}
