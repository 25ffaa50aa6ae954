import type { Pack } from '../../council/packs.js';

/** What a pack holds and costs. */
export function presentPack(pack: Pack) {
  return { id: pack.id, credits: pack.credits, price_usd_cents: pack.priceUsdCents };
}
