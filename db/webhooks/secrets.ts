import type { SealedParts } from '../accounts/provider-keys.js';
import type { Db } from '../database.js';

/**
 * The secrets of webhooks, sealed like provider keys; no code in `db/` can open them. Invariants:
 * - an endpoint has one secret without an end, and those whose end is not reached sign beside it.
 */
export interface SealedSecret extends SealedParts {
  readonly id: string;
  readonly accountId: string;
}

/** What a secret is sealed for: copied to another row or account it cannot be opened. */
export function secretPlace({ id, accountId }: Pick<SealedSecret, 'id' | 'accountId'>) {
  return { keyId: id, accountId, provider: 'webhook' };
}

/** The secrets that sign now, the present one first. */
export async function readSigningSecrets(
  db: Db,
  endpointId: string,
  now: Date,
): Promise<readonly SealedSecret[]> {
  return secretsQuery(db)
    .where('secret.endpoint_id', '=', endpointId)
    .where(eb => eb.or([eb('secret.ends_at', 'is', null), eb('secret.ends_at', '>', now)]))
    .orderBy('secret.ends_at', order => order.desc().nullsFirst())
    .execute();
}

function secretsQuery(db: Db) {
  return db
    .selectFrom('webhook_secrets as secret')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'secret.endpoint_id')
    .select(['secret.id', 'endpoint.account_id as accountId'])
    .select(['secret.kid', 'secret.iv', 'secret.tag', 'secret.ciphertext']);
}
