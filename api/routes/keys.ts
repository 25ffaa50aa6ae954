import { Router } from 'express';
import { type KeyView, keyParameters, type MintedKeyView, newKeySchema } from '../../contract/keys.js';
import { displayPrefix, makeApiKey } from '../../council/api-key.js';
import { liveKeysPerAccount } from '../../council/limits.js';
import { apiKeyHash } from '../../db/api-key-hash.js';
import { type ApiKey, listApiKeys, mintApiKey, revokeApiKey } from '../../db/api-keys.js';
import { principalOf, sessionOnly } from '../auth/principal.js';
import type { ApiContext } from '../context.js';
import { parseBody } from '../parse.js';
import { Problem } from '../problem.js';

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
