import { sql } from 'kysely';
import type { SealedParts } from '../accounts/provider-keys.js';
import type { Db } from '../database.js';

/**
 * The secrets of webhooks, sealed like provider keys; no code in `db/` can open them. Invariants:
 * - an endpoint has one secret without an end, and those whose end is not reached sign beside it;
 * - re-encryption never overwrites a secret that has changed in the meantime.
 */
export interface SealedSecret extends SealedParts {
  readonly id: string;
  readonly accountId: string;
  /** In place of a provider, so that no key of one opens as a secret. */
  readonly provider: 'webhook';
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

/**
 * A page of the secrets that were sealed with another encryption key than `kid`, ordered by id.
 * @param page.after the last id of the previous page
 */
export async function listSecretsNotSealedWith(
  db: Db,
  kid: string,
  page: { readonly after: string | null; readonly limit: number },
): Promise<readonly SealedSecret[]> {
  let query = secretsQuery(db).where('secret.kid', '<>', kid);
  if (page.after !== null) query = query.where('secret.id', '>', page.after);
  return query.orderBy('secret.id').limit(page.limit).execute();
}

function secretsQuery(db: Db) {
  return db
    .selectFrom('webhook_secrets as secret')
    .innerJoin('webhook_endpoints as endpoint', 'endpoint.id', 'secret.endpoint_id')
    .select(['secret.id', 'endpoint.account_id as accountId'])
    .select(['secret.kid', 'secret.iv', 'secret.tag', 'secret.ciphertext'])
    .select(sql<'webhook'>`'webhook'`.as('provider'));
}
