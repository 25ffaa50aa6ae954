import type { BalanceView, LedgerEntryView } from '../../../contract/credits.js';

export const balanceExample: BalanceView = {
  balance_credits: 1_880,
  weekly_grant: { available: false, worth_credits: 120, resets_at: '2026-11-23T00:00:00.000Z' },
};

const entries: readonly LedgerEntryView[] = [
  {
    id: 7,
    at: '2026-11-21T09:26:42.830Z',
    kind: 'charge',
    pool: 'purchased',
    amount_credits: -120,
    balance_after: 1_880,
    report_id: 2,
    api_key_id: '3e417919-530a-4c24-9ef8-8a6c0fd1cfec',
  },
  {
    id: 1,
    at: '2026-11-21T09:26:20.021Z',
    kind: 'grant',
    pool: 'purchased',
    amount_credits: 2_000,
    balance_after: 2_000,
    report_id: null,
    api_key_id: null,
  },
];

export const ledgerExample = { entries, page: 1, per_page: 20, total: 2 };
