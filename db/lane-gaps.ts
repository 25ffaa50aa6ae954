import type { Lane } from '../council/purchase.js';
import { missingKeys } from '../council/vendor.js';
import type { Db, Tx } from './database.js';
import { heldProviders } from './provider-keys.js';
import { findActiveSubscription } from './subscriptions.js';

/** What the account would have to set up before it could pay on a lane; empty when it can. */
export async function laneGaps(
  db: Db | Tx,
  { accountId, lane, now }: { accountId: string; lane: Lane; now: Date },
): Promise<readonly string[]> {
  switch (lane) {
    case 'credits':
      return [];
    case 'subscription':
      return (await findActiveSubscription(db, accountId, now)) === null ? ['subscription'] : [];
    case 'byok':
      return missingKeys(await heldProviders(db, accountId));
  }
}
