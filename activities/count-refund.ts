import type { RefundReceipt } from '../council/purchase.js';
import type { RunFailureCode } from '../council/run-failure.js';
import type { Metrics } from '../telemetry/metrics.js';

/** One run that failed, and what was given back for it: by the run itself, or by whoever looked after it. */
export function countRefund(
  { reports, refundedCredits }: Metrics,
  failure: RunFailureCode,
  { credits }: RefundReceipt,
): void {
  reports.inc({ end: failure });
  refundedCredits.inc({ failure }, credits);
}
