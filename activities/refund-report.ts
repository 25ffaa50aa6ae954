import { log } from '@temporalio/activity';
import type { RefundReceipt } from '../council/purchase.js';
import { refundPurchase } from '../db/refunds.js';
import { countRefund } from './count-refund.js';
import type { ActivityDependencies } from './dependencies.js';
import type { RefundWish } from './report-activities.js';

/** Gives back exactly what was taken, once, and fails the report. An attempt that finds it done counts nothing. */
export async function refundReport(
  { db, metrics, now }: Pick<ActivityDependencies, 'db' | 'metrics' | 'now'>,
  wish: RefundWish,
): Promise<RefundReceipt> {
  const { failure } = wish;
  const { receipt, given } = await refundPurchase(db, { ...wish, now: now() });
  if (given) {
    countRefund(metrics, failure, receipt);
    log.warn('the run failed, and what it took is given back', { ...receipt, failure });
  }
  return receipt;
}
