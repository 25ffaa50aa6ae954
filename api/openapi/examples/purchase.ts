import type { PricingView, ReceiptView } from '../../../contract/purchase.js';

export const pricingExample: PricingView = { fresh_credits: 120, cached_credits: 60, byok_credits: 50 };

export const receiptExample: ReceiptView = {
  report_id: 2,
  status: 'pending',
  cached: false,
  credits_spent: 120,
  lane: 'credits',
  pool: 'purchased',
};
