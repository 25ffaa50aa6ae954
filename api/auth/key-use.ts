import type { Request } from 'express';
import { findAccount, mailAddressOf } from '../../db/accounts/accounts.js';
import { type KeyHolder, recordKeyUse } from '../../db/accounts/api-keys.js';
import type { Mail } from '../../platform/mail/mailer.js';
import { keyNetworkMailsPerDay, newKeyMailsPerDay } from '../../purchase/limits.js';
import type { ApiContext } from '../context.js';
import { publicPage } from '../http/addresses.js';
import { shownNetworkOf } from '../throttling/network.js';

/** The last use of a key is stored at most this often, unless its network is new: it is only displayed. */
const keyUseStoredEveryMs = 60_000;

/**
 * Stores the use of a key, and mails its owner the first from a network. Returns at once: the request does not wait for
 * it, and one from a known network writes nothing for a minute.
 */
export function noteKeyUse(
  context: ApiContext,
  request: Request,
  { apiKeyId, lastUsedAt, networksSeen }: KeyHolder,
): void {
  const now = context.now();
  const network = networkOfRequest(request);
  const isStored = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() <= keyUseStoredEveryMs;
  if (isStored && networksSeen.includes(network)) return;
  const noted = async () => {
    const news = await recordKeyUse(context.db, apiKeyId, { network, now });
    if (news === null) return;
    const foot = `The key begins with ${news.keyPrefix}. The network: ${network}`;
    const limit = { of: `key-networks:${apiKeyId}`, perDay: keyNetworkMailsPerDay };
    await mailOwner(context, { kind: 'key_used_elsewhere', foot, ...news, limit });
  };
  noted().catch((err: unknown) => context.log.warn({ err }, 'the last use of an API key was not stored'));
}

/** Mails the owner of an account that it has a new key. Returns at once. */
export function mailNewKey(
  context: KeyMailContext,
  { accountId, keyPrefix }: { readonly accountId: string; readonly keyPrefix: string },
): void {
  const foot = `The key begins with ${keyPrefix}.`;
  const limit = { of: `new-keys:${accountId}`, perDay: newKeyMailsPerDay };
  mailOwner(context, { kind: 'key_created', foot, accountId, limit }).catch((err: unknown) =>
    context.log.warn({ err }, 'the mail about a new API key was not sent'),
  );
}

/** The network of a request as it is stored with a key and shown to its owner. */
export function networkOfRequest(request: Request): string {
  return shownNetworkOf(request.ip ?? 'unknown');
}

type KeyMailContext = Pick<ApiContext, 'db' | 'counts' | 'mailer' | 'publicUrl' | 'log'>;

interface KeyMail extends Pick<Mail, 'kind'> {
  readonly accountId: string;
  readonly foot: string;
  /** Of all API processes together, so that nobody is flooded. */
  readonly limit: { readonly of: string; readonly perDay: number };
}

const daySeconds = 86_400;

/** Only to an address that is known to be the owner's: another's would learn of a stranger's account. */
async function mailOwner(context: KeyMailContext, { accountId, kind, foot, limit }: KeyMail): Promise<void> {
  const to = mailAddressOf(await findAccount(context.db, accountId));
  if (to === null) return;
  const { points } = await context.counts.add(limit.of, 1, daySeconds);
  if (points > limit.perDay) return;
  context.mailer.send({ kind, to, link: publicPage(context, '/keys'), foot });
}
