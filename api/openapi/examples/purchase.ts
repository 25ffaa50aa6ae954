import type { EventView } from '../../../contract/events.js';
import type { PricingView, ReceiptView } from '../../../contract/purchase.js';

/** One of the sample events, which exist on every service with simulated models. */
export const eventExample: EventView = {
  event_id: 'sample-fed-cut-2031',
  title: 'Will the Federal Reserve cut rates in March 2031?',
  description:
    'Resolves "Yes" if the Federal Open Market Committee lowers the upper bound of its target range at its scheduled meeting in March 2031. An unscheduled cut before that meeting does not count.',
  category: 'Economy',
  closes_at: '2031-03-19T18:00:00.000Z',
  status: 'open',
  exclusive: true,
  volume: 1_842_310.42,
  url: null,
  markets: [
    {
      market: 'Will the Federal Reserve cut rates at its March 2031 meeting?',
      slug: 'sample-fed-cut-2031-yes',
      outcomes: ['Yes', 'No'],
      yes_price: 0.42,
      best_bid: 0.41,
      best_ask: 0.43,
      volume: 1_842_310.42,
      status: 'open',
      resolution: 'unresolved',
    },
  ],
};

export const pricingExample: PricingView = { fresh_credits: 120, cached_credits: 60, byok_credits: 50 };

export const receiptExample: ReceiptView = {
  report_id: 2,
  status: 'pending',
  cached: false,
  credits_spent: 120,
  lane: 'credits',
  pool: 'purchased',
};
