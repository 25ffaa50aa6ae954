import { log } from '@temporalio/activity';
import type { RunFailureCode } from '../../council/report.js';
import type { Db } from '../../db/database.js';
import { refundPurchase } from '../../db/purchases/refunds.js';
import type { Metrics } from '../../platform/telemetry/metrics.js';
import type { RefundReceipt } from '../../purchase/purchase.js';

export interface RefundDependencies {
  readonly db: Db;
  readonly metrics: Metrics;
  readonly now: () => Date;
}

export interface RefundInput {
  readonly purchaseId: string;
  readonly accountId: string;
  readonly failure: RunFailureCode;
}

/** Refunds exactly what was charged, once, and marks the report as failed. A repeated attempt changes nothing. */
export async function refundReport(
  { db, metrics, now }: RefundDependencies,
  input: RefundInput,
): Promise<RefundReceipt> {
  const { failure } = input;
  const { receipt, given } = await refundPurchase(db, { ...input, now: now() });
  if (given) {
    countRefund(metrics, failure, receipt);
    log.warn('the run failed and its charge was refunded', { ...receipt, failure });
  }
  return receipt;
}

/** Counts a failed run and its refund, made by the run or by the maintenance duty `release-stranded-runs`. */
export function countRefund(
  { reports, refundedCredits }: Metrics,
  failure: RunFailureCode,
  { credits }: RefundReceipt,
): void {
  reports.inc({ end: failure });
  refundedCredits.inc({ failure }, credits);
}
