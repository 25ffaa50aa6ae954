import type { PurchaseOutcome, PurchaseReach, PurchaseRequest } from '../council/purchase.js';
import type { Db } from '../db/database.js';
import { purchaseReport } from '../db/purchases.js';

/**
 * Answers a purchase from what exists: a report that is owned, in flight or cached, or a refusal that needs no run to
 * be known. Begins nothing.
 * @param reach `owned` where not even a cached report may be charged for yet
 */
export async function sellExisting(
  db: Db,
  request: PurchaseRequest,
  service: { simulated: boolean; now: () => Date },
  reach: Exclude<PurchaseReach, 'fresh'> = 'existing',
): Promise<PurchaseOutcome> {
  const { simulated } = service;
  return purchaseReport(db, request, { now: service.now(), simulated, ...noRun }, reach);
}

/** What is sold here exists already: no report is opened, so none of this is ever written. */
const noRun = { eventTitle: '', workflowId: '', seed: '' };
