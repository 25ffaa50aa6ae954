import type { ReceiptView } from '../../contract/purchase.js';
import type { Receipt } from '../../council/purchase.js';

/** The answer to a purchase. */
export function presentReceipt(receipt: Receipt): ReceiptView {
  return {
    report_id: receipt.reportId,
    status: receipt.status,
    cached: receipt.kind === 'cached',
    credits_spent: receipt.creditsSpent,
    lane: receipt.lane,
    pool: receipt.pool,
  };
}
