import type { PricingView } from '../../contract/purchase.js';
import { byokCredits } from '../../council/limits.js';
import { cachedCredits, type Quote } from '../../council/quote.js';

/** The prices of the moment, in credits; what they were drawn from stays in the house. */
export function presentPricing(quote: Quote): PricingView {
  return {
    fresh_credits: quote.freshCredits,
    cached_credits: cachedCredits(quote.freshCredits),
    byok_credits: byokCredits,
  };
}
