import type { LedgerEntryView } from '../../../contract/credits.js';

/** What an entry of the ledger is, for whoever reads it as a bank statement. */
export function entryWords({
  kind,
  pool,
  amount_credits: amount,
}: Pick<LedgerEntryView, 'kind' | 'pool' | 'amount_credits'>): string {
  switch (kind) {
    case 'purchase':
      return 'Credits bought';
    case 'grant':
      return pool === 'weekly_grant' ? 'Free report of the week' : 'Credits granted';
    case 'charge':
      return 'Report bought';
    case 'refund':
      return 'Failed report given back';
    case 'adjustment':
      if (pool === 'weekly_grant') return 'Rest of the free report';
      return amount < 0 ? 'Payment taken back' : 'Payment restored';
  }
}

export const poolWords: Readonly<Record<LedgerEntryView['pool'], string>> = {
  purchased: 'credits',
  weekly_grant: 'weekly grant',
};
