import type { BetView, RuntimeView } from '../../../contract/runtime.js';
import { cents, dollars, percent, signed } from '../../shared/format.js';

/** The calculation of a bet in words. */
export function betSentence(bet: BetView): string {
  return (
    `A share costs ${cents(bet.share_cost)}, fee included. If the bet wins, each dollar returns ${moneyText(bet.payout_per_dollar)} on top; ` +
    `otherwise it is lost. At ${percent(bet.win_probability)}, the expected return is ${signedCents(bet.expected_return_per_dollar)} per dollar.`
  );
}

/** The probabilities of YES, even if the bet is on NO. */
export function yesSentence(bet: BetView): string {
  return (
    `YES on this market: council ${percent(bet.consensus_probability)}, market ${percent(bet.market_implied_probability)}, ` +
    `price ${cents(bet.yes_price)}. The edge is the council’s probability of the side bought minus the market’s, before rounding.`
  );
}

/** In cents below one dollar. */
export function moneyText(value: number): string {
  return Math.abs(value) < 1 ? cents(value) : dollars(value);
}

export function signedCents(value: number): string {
  return `${signed(value * 100)}\u00a0¢`;
}

type Thresholds = RuntimeView['method']['thresholds'];

/** The condition for an edge, with the thresholds that the report was made with. */
export function edgeRule(thresholds: Thresholds, degraded: boolean): string {
  const points = thresholds[degraded ? 'edge_min_points_degraded' : 'edge_min_points'];
  const minReturn = thresholds['edge_min_return'];
  if (points === undefined || minReturn === undefined)
    return 'a large enough gap to the market, and a sufficient return after the fee';
  return `at least ${points} points above the market, and a return of at least ${percent(minReturn * 100)} after the fee`;
}

export function noBetReason(
  runtime: Pick<
    RuntimeView,
    'consensus_market_conflict' | 'market_implied_basis' | 'quote_age_seconds' | 'degraded' | 'method'
  >,
): string {
  const { thresholds } = runtime.method;
  if (runtime.consensus_market_conflict) {
    return 'Council and market are in conflict.';
  }
  if (runtime.market_implied_basis === 'no_price') {
    return 'The market quotes no price, so there is nothing to buy and nothing to compare the council with.';
  }
  if (runtime.market_implied_basis === 'sum_out_of_range') {
    return 'The prices of these outcomes add up to too much or too little to be read as probabilities, so no edge can be calculated.';
  }
  const fresh = thresholds['quote_fresh_seconds'];
  if (fresh !== undefined && runtime.quote_age_seconds > fresh) {
    return `The prices were ${Math.round(runtime.quote_age_seconds)} seconds old when the report was completed, which is too old for a bet.`;
  }
  return `No price is wrong by enough. A bet needs ${edgeRule(thresholds, runtime.degraded)}, in a market with a narrow spread.`;
}
