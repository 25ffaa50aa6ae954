import type { BillingStatusView } from '../../../contract/billing.js';

export const waysBackExample = {
  success_url: 'https://example.com/paid',
  cancel_url: 'https://example.com/not-paid',
};

export const subscribedExample: BillingStatusView = {
  plan: 'subscription',
  status: 'active',
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
  period_start: null,
  period_end: null,
  cancel_at_period_end: false,
  usage: { fresh_reports: 0, cached_reports: 0, amount_usd_cents: 0 },
  owed_credits: 0,
  payments_configured: true,
};
