import { log } from '@temporalio/activity';
import type { RefundReceipt } from '../../council/purchase/purchase.js';
import type { RunFailureCode } from '../../council/report.js';
import { refundPurchase } from '../../db/purchases/refunds.js';
import type { Metrics } from '../../telemetry/metrics.js';
import type { ActivityDependencies } from './dependencies.js';
import type { RefundReportInput } from './report-activities.js';

/** Gives back exactly what was taken, once, and fails the report. An attempt that finds it done counts nothing. */
export async function refundReport(
  { db, metrics, now }: Pick<ActivityDependencies, 'db' | 'metrics' | 'now'>,
  wish: RefundReportInput,
): Promise<RefundReceipt> {
  const { failure } = wish;
  const { receipt, given } = await refundPurchase(db, { ...wish, now: now() });
  if (given) {
    countRefund(metrics, failure, receipt);
    log.warn('the run failed, and what it took is given back', { ...receipt, failure });
  }
  return receipt;
}

/** One run that failed, and what was given back for it: by the run itself, or by whoever looked after it. */
export function countRefund(
  { reports, refundedCredits }: Metrics,
  failure: RunFailureCode,
  { credits }: RefundReceipt,
): void {
  reports.inc({ end: failure });
  refundedCredits.inc({ failure }, credits);
}
