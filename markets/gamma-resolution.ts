import type { Resolution } from '../council/event.js';
import type { GammaMarket } from './gamma-schema.js';

/**
 * How a closed Gamma market ended, from its final prices alone: the last trade of a loser may be 1, and the end
 * date says nothing. Without a winner: `fifty_fifty` where both sides are paid half, `void` otherwise (0/0, a scalar
 * payout). `disputed` while the oracle's answer is contested; `unresolved` while it is merely proposed without final
 * prices, or where nothing can be read.
 */
export function gammaResolution(market: GammaMarket): Resolution {
  const { outcomes, outcomePrices } = market;
  const oracle = oracleStatus(market);
  if (oracle === 'disputed') return 'disputed';
  if (outcomes === null || outcomePrices === null) return 'unresolved';
  const [first, second, ...more] = outcomePrices;
  if (outcomes.length === 2 && more.length === 0 && first !== undefined && second !== undefined) {
    if (first >= won && second <= lost) return 'yes';
    if (second >= won && first <= lost) return 'no';
    if (oracle !== 'proposed' && first === half && second === half) return 'fifty_fifty';
  }
  return oracle === 'proposed' ? 'unresolved' : 'void';
}

const won = 0.999;
const lost = 0.001;
const half = 0.5;

/** The summary counts where there is one: "resolved" may stand beside a history that ends in "proposed". */
function oracleStatus(market: GammaMarket): string | null {
  const status = market.umaResolutionStatus ?? market.umaResolutionStatuses?.at(-1) ?? null;
  return status === null ? null : status.trim().toLowerCase();
}
