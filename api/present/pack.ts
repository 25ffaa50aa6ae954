import type { PackView } from '../../contract/credits.js';
import type { Pack } from '../../council/packs.js';

/** What a pack holds and costs. */
export function presentPack(pack: Pack): PackView {
  return { id: pack.id, credits: pack.credits, price_usd_cents: pack.priceUsdCents };
}
