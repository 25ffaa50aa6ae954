import { openAccount } from '../../db/accounts/accounts.js';
import { revokeApiKeys } from '../../db/accounts/api-keys.js';
import { deleteProviderKeys } from '../../db/accounts/provider-keys.js';
import type { ApiContext } from '../context.js';
import type { VerifiedUser } from './account-mail.js';
import { builtInIssuer } from './accounts.js';

/**
 * Stores on the account that its address is verified, at once and not with the user's next token. If the owner of an
 * unverified address sets a new password, somebody else may have used the account before: then it keeps no API key, and no provider
 * key, with which the owner's runs would be calls of another customer of the vendor.
 */
export function verifyAccount({ db, now, newId }: Pick<ApiContext, 'db' | 'now' | 'newId'>) {
  return async ({ id, email, by }: VerifiedUser): Promise<void> => {
    const identity = { issuer: builtInIssuer, subject: id, email, verifiedAt: now(), newId: newId() };
    const account = await openAccount(db, identity);
    if (by !== 'reset') return;
    await revokeApiKeys(db, account.id, now());
    await deleteProviderKeys(db, account.id);
  };
}
