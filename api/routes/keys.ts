import { type Request, type RequestHandler, type Response, Router } from 'express';
import { seal } from '../../config/keys/seal.js';
import { type KeyView, keyParameters, type MintedKeyView, newKeySchema } from '../../contract/keys.js';
import { type ProviderKeyView, providerKeySchema, providerParameter } from '../../contract/provider-keys.js';
import { displayPrefix, makeApiKey } from '../../council/api-key.js';
import { liveKeysPerAccount } from '../../council/limits.js';
import { type KeyVendor, keyVendors } from '../../council/models.js';
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
import { principalOf, sessionOnly } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { parseBody } from '../http/parse.js';
import { Problem } from '../http/problem.js';

const warning = 'Store this key now: it cannot be shown again.';

/** `/api/keys`: minting, listing and revoking API keys, with a session only. */
export function keysRouter(context: ApiContext): Router {
  const router = Router();

  router.post('/', sessionOnly(context), async (request, response) => {
    const { name } = parseBody(newKeySchema, request);
    const key = makeApiKey(context.randomBytes);
    const minted = await mintApiKey(context.db, {
      id: context.newId(),
      accountId: principalOf(response).accountId,
      name,
      keyPrefix: displayPrefix(key),
      keyHash: apiKeyHash(key),
      now: context.now(),
    });
    if (minted === null) {
      throw new Problem('key_limit_reached', `An account holds at most ${liveKeysPerAccount} live keys.`);
    }
    response.status(201).set('Cache-Control', 'no-store');
    const answer: MintedKeyView = { ...presentNewKey(minted), key, warning };
    response.json(answer);
  });

  router.get('/', sessionOnly(context), async (_request, response) => {
    const keys = await listApiKeys(context.db, principalOf(response).accountId);
    response.json({ keys: keys.map(presentKey) });
  });

  router.delete('/:key_id', sessionOnly(context), async (request, response) => {
    const asked = keyParameters.safeParse(request.params);
    const { accountId } = principalOf(response);
    const revoked =
      asked.success && (await revokeApiKey(context.db, accountId, asked.data.key_id, context.now()));
    if (!revoked) throw new Problem('not_found', 'There is no live key with this id.');
    response.status(204).end();
  });

  return router;
}

function presentNewKey(key: ApiKey) {
  return { id: key.id, name: key.name, key_prefix: key.key_prefix, created_at: key.created_at.toISOString() };
}

function presentKey(key: ApiKey): KeyView {
  return { ...presentNewKey(key), last_used_at: key.last_used_at?.toISOString() ?? null };
}

const shownCharacters = 4;

/**
 * `/api/provider-keys`: the caller's own keys for the vendors' models, with a session only. A key that was stored is
 * never shown again but for its last characters. One that is deleted is gone at once, also for a run under way: what
 * that run has not asked yet drops out.
 */
export function providerKeysRouter(context: ApiContext): Router {
  return Router()
    .use(keepInNoCache, sessionOnly(context))
    .get('/', list(context))
    .get('/:provider', show(context))
    .put('/:provider', put(context))
    .delete('/:provider', remove(context));
}

const keepInNoCache: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

function list({ db }: ApiContext): RequestHandler {
  return async (_request, response) => {
    const keys = await listProviderKeys(db, principalOf(response).accountId);
    response.json({ provider_keys: keys.map(present) });
  };
}

function show({ db }: ApiContext): RequestHandler {
  return async (request, response) => {
    const provider = providerOf(request);
    const keys = await listProviderKeys(db, principalOf(response).accountId);
    const key = keys.find(held => held.provider === provider);
    if (key === undefined) throw noSuchKey();
    response.json(present(key));
  };
}

function put(context: ApiContext): RequestHandler {
  return async (request, response) => {
    const provider = providerOf(request);
    const { key } = parseBody(providerKeySchema, request);
    response.json(present(await store(context, response, provider, key)));
  };
}

function remove({ db }: ApiContext): RequestHandler {
  return async (request, response) => {
    const provider = providerOf(request);
    if (!(await deleteProviderKey(db, principalOf(response).accountId, provider))) throw noSuchKey();
    response.status(204).end();
  };
}

async function store(
  { db, keyRing, newId, randomBytes, now }: ApiContext,
  response: Response,
  provider: KeyVendor,
  key: string,
): Promise<ProviderKey> {
  const id = newId();
  const { accountId } = principalOf(response);
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

function providerOf(request: Request): KeyVendor {
  const provider = providerParameter.safeParse(request.params['provider']);
  if (provider.success) return provider.data;
  throw new Problem('not_found', `There is no such provider; there are ${keyVendors.join(', ')}.`);
}

function noSuchKey(): Problem {
  return new Problem('not_found', 'No key of this provider is stored.');
}

function present({ provider, last4, updatedAt }: ProviderKey): ProviderKeyView {
  return { provider, last4, updated_at: updatedAt.toISOString() };
}
