import { byokCredits } from './limits.js';
import type { Lane } from './purchase.js';
import { cachedCredits } from './quote.js';

/** Credits that a report costs now on a lane, before any quote of the caller's is looked at. */
export function listPrice(freshCredits: number, sale: { kind: 'fresh' | 'cached'; lane: Lane }): number {
  const credits = sale.kind === 'fresh' ? freshCredits : cachedCredits(freshCredits);
  switch (sale.lane) {
    case 'credits':
      return credits;
    case 'byok':
      return sale.kind === 'fresh' ? byokCredits : Math.min(credits, byokCredits);
    case 'subscription':
      return 0;
  }
}
