import type { Resolution } from '../council/event.js';
import type { GammaMarket } from './gamma-schema.js';

/**
 * How a closed Gamma market ended, from its final prices alone: the last trade of a loser may be 1, and the end
 * date says nothing. `void` where the final prices name no winner (0.5/0.5, 0/0, a scalar payout); `unresolved`
 * while the oracle's answer is disputed, or proposed without final prices yet, or where nothing can be read.
 */
export function gammaResolution(market: GammaMarket): Resolution {
  const { outcomes, outcomePrices } = market;
  const oracle = oracleStatus(market);
  if (oracle === 'disputed' || outcomes === null || outcomePrices === null) return 'unresolved';
  const [first, second, ...more] = outcomePrices;
  if (outcomes.length === 2 && more.length === 0 && first !== undefined && second !== undefined) {
    if (first >= won && second <= lost) return 'yes';
    if (second >= won && first <= lost) return 'no';
  }
  return oracle === 'proposed' ? 'unresolved' : 'void';
}

const won = 0.999;
const lost = 0.001;

/** The summary counts where there is one: "resolved" may stand beside a history that ends in "proposed". */
function oracleStatus(market: GammaMarket): string | null {
  const status = market.umaResolutionStatus ?? market.umaResolutionStatuses?.at(-1) ?? null;
  return status === null ? null : status.trim().toLowerCase();
}
