import type { Lane } from '../council/purchase.js';
import { findActiveSubscription } from '../db/subscriptions.js';
import type { Principal } from './auth/principal.js';
import type { ApiContext } from './context.js';

/**
 * The lane a request is paid on: the one it asks for; else the subscription, where an account that has one asks with
 * an API key; else credits.
 */
export async function laneOf(
  { db, now }: Pick<ApiContext, 'db' | 'now'>,
  { accountId, apiKeyId }: Principal,
  asked: Lane | undefined,
): Promise<Lane> {
  if (asked !== undefined) return asked;
  if (apiKeyId === null) return 'credits';
  return (await findActiveSubscription(db, accountId, now())) === null ? 'credits' : 'subscription';
}
