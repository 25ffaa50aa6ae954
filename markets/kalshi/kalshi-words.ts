import type { Resolution } from '../../council/event.js';
import { type FinalWord, settlementValues } from '../../council/market/final-word.js';
import type { KalshiMarket } from './kalshi-schema.js';

/**
 * What Kalshi says about the result of a market. Only `finalized` is final: `determined` and `amended` have a result that
 * may still change, and `closed` can open again. `wasDisputed` says that it is disputed now, because Kalshi keeps no
 * history of it.
 */
export function kalshiWord(market: KalshiMarket): FinalWord {
  const isFinal = market.status === 'finalized';
  const isDisputed = market.status === 'disputed';
  const resolution = isFinal ? finalResolution(market) : isDisputed ? 'disputed' : 'unresolved';
  return {
    resolution,
    status: market.status,
    finalAt: isFinal ? market.settlement_ts : null,
    decidedBy: isFinal ? 'exchange' : null,
    wasDisputed: isDisputed,
    settlementValue: isFinal
      ? (market.settlement_value_dollars ?? settlementValues[resolution] ?? null)
      : null,
    rulesUpdated: false,
    transactionHash: null,
  };
}

/**
 * Whether a final market has a result that is not known here, or that is not what was paid, such as `yes` that paid 0.
 * Which of the two is wrong cannot be known: its word is `void`, and an operator has to look.
 */
export function contradictsItself(market: KalshiMarket): boolean {
  return market.status === 'finalized' && market.result !== 'scalar' && finalResolution(market) === 'void';
}

/** `scalar` pays a part of a dollar: half, or a value that grades nothing. */
function finalResolution({ result, settlement_value_dollars: paid = null }: KalshiMarket): Resolution {
  if (result === 'yes' || result === 'no')
    return paid === null || paid === settlementValues[result] ? result : 'void';
  return result === 'scalar' && paid === settlementValues.fifty_fifty ? 'fifty_fifty' : 'void';
}
