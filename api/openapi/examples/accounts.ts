import type { z } from 'zod';
import type { sessionShape, userShape } from '../../../contract/accounts.js';
import type { BillingStatusView } from '../../../contract/billing.js';
import type { BalanceView, LedgerEntryView } from '../../../contract/credits.js';

export const credentialsExample = { email: 'you@example.com', password: 'correct horse battery' };

export const userExample: z.infer<typeof userShape> = {
  id: 'BOB9hSyYsHDlUAUl4bVqGAbhSu83OFOI',
  name: 'You',
  email: credentialsExample.email,
  emailVerified: false,
  image: null,
  createdAt: '2026-11-21T09:26:52.336Z',
  updatedAt: '2026-11-21T09:26:52.336Z',
};

export const sessionExample: z.infer<typeof sessionShape> = {
  id: 'oK0EOAqY2W5Z6SprZen5KxYc8OfCPkT4',
  token: 'gWqvkm84ffjXwOYIIS0PPjHkx9PHPzUJ',
  userId: userExample.id,
  expiresAt: '2026-11-28T09:26:52.342Z',
  createdAt: '2026-11-21T09:26:52.342Z',
  updatedAt: '2026-11-21T09:26:52.342Z',
  ipAddress: null,
  userAgent: 'curl/7.88.1',
};

export const waysBackExample = {
  success_url: 'https://example.com/paid',
  cancel_url: 'https://example.com/not-paid',
};

export const subscribedExample: BillingStatusView = {
  plan: 'subscription',
  status: 'active',
  next_step: null,
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  cancel_at_period_end: false,
  usage: { fresh_reports: 12, cached_reports: 4, amount_usd_cents: 4_200 },
  owed_credits: 0,
  payments_configured: true,
};

export const noPlanExample: BillingStatusView = {
  plan: 'none',
  status: null,
  next_step: null,
  period_start: null,
  period_end: null,
  cancel_at_period_end: false,
  usage: { fresh_reports: 0, cached_reports: 0, amount_usd_cents: 0 },
  owed_credits: 0,
  payments_configured: true,
};

export const balanceExample: BalanceView = {
  balance_credits: 1_880,
  owed_credits: 0,
  weekly_grant: {
    available: false,
    needs_verified_email: false,
    worth_credits: 120,
    resets_at: '2026-11-23T00:00:00.000Z',
  },
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
