import type { LedgerEntryView } from '../../../contract/credits.js';

/** What an entry of the ledger stands for, as on a bank statement. */
export function entryText({
  kind,
  pool,
  amount_credits: amount,
}: Pick<LedgerEntryView, 'kind' | 'pool' | 'amount_credits'>): string {
  switch (kind) {
    case 'purchase':
      return 'Credits bought';
    case 'grant':
      return pool === 'weekly_grant' ? 'Weekly free report' : 'Credits granted';
    case 'charge':
      return 'Report bought';
    case 'refund':
      return 'Failed report refunded';
    case 'adjustment':
      if (pool === 'weekly_grant') return 'Unused free report';
      return amount < 0 ? 'Payment reversed' : 'Payment restored';
  }
}

export const poolNames: Readonly<Record<LedgerEntryView['pool'], string>> = {
  purchased: 'credits',
  weekly_grant: 'weekly grant',
};
