import type { PackView } from '../../contract/credits.js';
import type { PricingView, ReceiptView } from '../../contract/purchase.js';
import { byokCredits } from '../../council/limits.js';
import type { Pack } from '../../council/purchase/billing.js';
import type { Receipt } from '../../council/purchase/purchase.js';
import { cachedCredits, type Quote } from '../../council/purchase/quote.js';

/** The prices of the moment, in credits; what they were drawn from stays in the house. */
export function presentPricing(quote: Quote): PricingView {
  return {
    fresh_credits: quote.freshCredits,
    cached_credits: cachedCredits(quote.freshCredits),
    byok_credits: byokCredits,
  };
}

/** What a pack holds and costs. */
export function presentPack(pack: Pack): PackView {
  return { id: pack.id, credits: pack.credits, price_usd_cents: pack.priceUsdCents };
}

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
