import type { LedgerEntryView } from '../../../contract/credits.js';
import type { ReportView } from '../../../contract/reports.js';
import { credits } from '../format.js';

/**
 * What a failed run has cost: nothing.
 * @param refund the entry of the ledger that gave it back; null while it is not at hand
 */
export function refundText(
  lane: ReportView['lane'],
  refund: Pick<LedgerEntryView, 'amount_credits' | 'pool'> | null,
): string {
  if (lane === 'subscription') return 'Nothing was charged: only delivered reports go on your bill.';
  if (refund === null) return 'Exactly what was charged went back to where it came from.';
  return refund.pool === 'weekly_grant'
    ? `Exactly what was charged went back: your free report of this week, worth ${credits(refund.amount_credits)}, can be used again.`
    : `Exactly what was charged went back: ${credits(refund.amount_credits)}, to your purchased credits.`;
}
