import type { Resolution } from '../../council/event.js';
import type { FinalWord } from '../../council/market/final-word.js';
import type { KalshiMarket } from './kalshi-schema.js';

/**
 * What Kalshi says about the result of a market. Only `finalized` is final: `determined` and `amended` have a result that
 * may still change, and `closed` can open again. A market that {@link contradictsItself} has no result yet.
 * `wasDisputed` says that it is disputed now, because Kalshi keeps no history of it.
 */
export function kalshiWord(market: KalshiMarket): FinalWord {
  const decided = market.status === 'finalized' ? finalResolution(market) : null;
  const isDisputed = market.status === 'disputed';
  return {
    resolution: decided ?? (isDisputed ? 'disputed' : 'unresolved'),
    status: market.status,
    finalAt: decided === null ? null : market.settlement_ts,
    decidedBy: decided === null ? null : 'exchange',
    wasDisputed: isDisputed,
    settlementValue: decided === null ? null : (market.settlement_value_dollars ?? values[decided] ?? null),
    rulesUpdated: false,
    transactionHash: null,
  };
}

/**
 * A market that is final with a result that is not known here, or that is not what was paid: `yes` that paid 0, or
 * `scalar`, which is for values in between, that paid 1. Which of the two is wrong cannot be known, so neither is graded.
 */
export function contradictsItself(market: KalshiMarket): boolean {
  return market.status === 'finalized' && finalResolution(market) === null;
}

/** `scalar` pays a part of a dollar: half, or a value that grades nothing. Null if result and value contradict. */
function finalResolution({ result, settlement_value_dollars: paid = null }: KalshiMarket): Resolution | null {
  if (result === 'yes' || result === 'no') return paid === null || paid === values[result] ? result : null;
  if (result !== 'scalar' || paid === 0 || paid === 1) return null;
  return paid === 0.5 ? 'fifty_fifty' : 'void';
}

/** What a result pays, where Kalshi leaves out the value. */
const values: Partial<Record<Resolution, number>> = { yes: 1, no: 0 };
