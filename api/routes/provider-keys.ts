import { type Request, type RequestHandler, type Response, Router } from 'express';
import { seal } from '../../config/seal.js';
import { type ProviderKeyView, providerKeySchema, providerParameter } from '../../contract/provider-keys.js';
import { type KeyVendor, keyVendors } from '../../council/vendor.js';
import {
  deleteProviderKey,
  listProviderKeys,
  type ProviderKey,
  putProviderKey,
} from '../../db/provider-keys.js';
import { principalOf, sessionOnly } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { parseBody } from '../parse.js';
import { Problem } from '../problem.js';

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
