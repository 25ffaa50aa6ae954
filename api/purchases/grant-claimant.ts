import type { Request } from 'express';
import { findAccount } from '../../db/accounts/accounts.js';
import { mailboxOf } from '../../purchase/mailbox.js';
import type { GrantClaimant } from '../../purchase/weekly-grant.js';
import type { ApiContext } from '../context.js';
import type { CountKey } from '../throttling/count-key.js';
import { networkOf, siteOf } from '../throttling/network.js';

/** Who asks for the weekly grant of an account: its mailbox, and the network of the request, as keyed hashes. */
export type ReadGrantClaimant = (request: Request, accountId: string) => Promise<GrantClaimant>;

export function createGrantClaimants(
  { db, simulated, trustedProxies }: Pick<ApiContext, 'db' | 'simulated' | 'trustedProxies'>,
  countKey: CountKey,
): ReadGrantClaimant {
  const keyOf = (kind: string, value: string | null) =>
    value === null ? null : countKey(`grant-${kind}`, value);
  // Simulated models cost nothing, and without a proxy such callers are people and tests at this machine.
  const isUncounted = (address: string) =>
    simulated && trustedProxies.length === 0 && loopbackAddress.test(address);
  return async (request, accountId) => {
    const email = (await findAccount(db, accountId))?.email ?? null;
    const mailbox = keyOf('mailbox', email === null ? null : mailboxOf(email));
    const address = request.ip ?? '';
    if (isUncounted(address)) return { mailbox, network: null, site: null };
    return { mailbox, network: keyOf('network', networkOf(address)), site: keyOf('site', siteOf(address)) };
  };
}

const loopbackAddress = /^(?:127\.|::1$)/;
