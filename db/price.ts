import { byokCredits } from '../council/limits.js';
import type { Lane } from '../council/purchase.js';
import { cachedCredits } from '../council/quote.js';
import type { Db, Tx } from './database.js';
import { currentQuote } from './quotes.js';

/** Credits that a report costs now on a lane, before any quote of the caller's is looked at. */
export async function priceOf(
  db: Db | Tx,
  sale: { kind: 'fresh' | 'cached'; lane: Lane; simulated: boolean },
): Promise<number> {
  const { freshCredits } = await currentQuote(db, sale.simulated);
  const listPrice = sale.kind === 'fresh' ? freshCredits : cachedCredits(freshCredits);
  switch (sale.lane) {
    case 'credits':
      return listPrice;
    case 'byok':
      return sale.kind === 'fresh' ? byokCredits : Math.min(listPrice, byokCredits);
    case 'subscription':
      return 0;
  }
}
