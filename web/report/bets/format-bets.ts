import type { BetView, RuntimeView } from '../../../contract/runtime.js';
import { cents, dollars, percent, signed } from '../../shared/format.js';

/** The whole arithmetic of a bet in one breath. */
export function betSentence(bet: BetView): string {
  return (
    `You pay ${cents(bet.share_cost)} a share, fee included. If it wins, each dollar brings ${moneyText(bet.payout_per_dollar)} more; ` +
    `if not, the dollar is lost. At ${percent(bet.win_probability)} that is ${signedCents(bet.expected_return_per_dollar)} a dollar on average.`
  );
}

/** What everybody makes of the market's YES, of which the side bought may be the other. */
export function yesSentence(bet: BetView): string {
  return (
    `Of YES on this market: ${percent(bet.consensus_probability)} by the council, ${percent(bet.market_implied_probability)} by the market, ` +
    `priced at ${cents(bet.yes_price)}. The edge is the council’s probability of the side bought, less the market’s, before rounding.`
  );
}

/** Below a dollar in cents. */
export function moneyText(value: number): string {
  return Math.abs(value) < 1 ? cents(value) : dollars(value);
}

export function signedCents(value: number): string {
  return `${signed(value * 100)}\u00a0¢`;
}

type Thresholds = RuntimeView['method']['thresholds'];

/** What has to be true of a bet that claims the price to be wrong, by the thresholds of the report itself. */
export function edgeRule(thresholds: Thresholds, degraded: boolean): string {
  const points = thresholds[degraded ? 'edge_min_points_degraded' : 'edge_min_points'];
  const least = thresholds['edge_min_return'];
  if (points === undefined || least === undefined)
    return 'a wide enough gap to the price, and a return worth the fee';
  return `${points} points or more over the market, and ${percent(least * 100)} or more return after the fee`;
}

/** Why no bet is suggested. */
export function noBetReason(
  runtime: Pick<
    RuntimeView,
    'consensus_market_conflict' | 'market_implied_basis' | 'quote_age_seconds' | 'degraded' | 'method'
  >,
): string {
  const { thresholds } = runtime.method;
  if (runtime.consensus_market_conflict) {
    return 'Council and market are in conflict, and where they are, nothing is bet on.';
  }
  if (runtime.market_implied_basis === 'no_price') {
    return 'Nobody quotes a price, so there is nothing to buy and nothing to hold the council against.';
  }
  if (runtime.market_implied_basis === 'sum_out_of_range') {
    return 'The prices of these outcomes add up to too much or too little to stand for probabilities, so no edge over them can be claimed.';
  }
  const fresh = thresholds['quote_fresh_seconds'];
  if (fresh !== undefined && runtime.quote_age_seconds > fresh) {
    return `The prices were ${Math.round(runtime.quote_age_seconds)} seconds old when the report was drawn, which is too old to bet at.`;
  }
  return `No price is wrong by enough. A bet takes ${edgeRule(thresholds, runtime.degraded)}, in a market that quotes both sides closely.`;
}
