import type { Logger } from 'pino';
import { purchaseReport } from '../../db/purchases/purchases.js';
import { CommitUnknown } from '../../db/transaction.js';
import {
  type CeilingNotice,
  ceilingNoticeText,
  describeNotice,
  type SalesPolicy,
} from '../../purchase/house-ceilings.js';
import type { AllowedOutcome, PurchaseOutcome, PurchaseRequest } from '../../purchase/purchase.js';
import { type SettleDependencies, settlePurchase } from './settle-purchase.js';

export interface ExistingDependencies extends SettleDependencies {
  readonly simulated: boolean;
  readonly policy: SalesPolicy;
  readonly onCeiling: (notice: CeilingNotice) => void;
}

/**
 * Answers a purchase without starting a run: with a report that the caller owns, a cached one, or a refusal. The answer
 * is final, also when the response to the sale's COMMIT is lost.
 * @param allowed `owned` when not even a cached report may be charged for
 */
export async function purchaseExisting(
  dependencies: ExistingDependencies,
  request: PurchaseRequest,
  allowed: Exclude<AllowedOutcome, 'fresh'> = 'existing',
): Promise<PurchaseOutcome> {
  const { db, simulated, policy, now, onCeiling, onError } = dependencies;
  try {
    const context = { now: now(), simulated, policy, onCeiling, ...noRun };
    return await purchaseReport(db, request, context, allowed);
  } catch (error) {
    // No COMMIT was sent: nothing was charged, and nothing will be.
    if (!(error instanceof CommitUnknown)) throw error;
    onError(error, 'the response to a sale was lost; settling it in the database');
    return settlePurchase(dependencies, request);
  }
}

/** Never stored: an existing report has these already. */
const noRun = { eventTitle: '', workflowId: '', seed: '' };

/** Logs that the house has taken on a share of a ceiling. */
export function logCeiling(log: Logger): (notice: CeilingNotice) => void {
  return notice => log.warn(describeNotice(notice), ceilingNoticeText);
}
