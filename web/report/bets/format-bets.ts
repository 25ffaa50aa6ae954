import { missingText, sideNumbers } from '../../../contract/report-text/estimate-text.js';
import type { BetView, RuntimeView } from '../../../contract/runtime.js';
import { cents, dollars, grouped, percentText, signed } from '../../shared/format.js';

/** The calculation of a bet in words. */
export function betSentence(bet: BetView): string {
  return (
    `A share costs ${cents(bet.share_cost)}, fee included. If the bet wins, each dollar returns ${moneyText(bet.payout_per_dollar)} on top; ` +
    `otherwise it is lost. At ${percentText(bet.win_probability)}, the expected return is ${signedCents(bet.expected_return_per_dollar)} per dollar.`
  );
}

/** The numbers of the side bought, and how the edge follows from them. */
export function edgeSentence(bet: BetView): string {
  const { council, market } = sideNumbers(bet);
  return (
    `${bet.side === 'BUY_YES' ? 'YES' : 'NO'} on this market: council ${percentText(council)}, market ${percentText(market)}, estimate ${percentText(bet.win_probability)}. ` +
    `Edge: ${percentText(bet.win_probability)} (estimate) − ${percentText(market)} (market), subtracted before rounding: ${signed(bet.edge_points)} points.`
  );
}

/** Of a bankroll. @param fraction with four decimals */
export function stakePercent(fraction: number): string {
  return `${Number((100 * fraction).toFixed(2))}\u00a0%`;
}

const exampleDollars = 1_000;

/** What the stake is in dollars: "Of a bankroll of $1 000, the stake is $12.50." Empty without a stake. */
export function stakeSentence({ stake_fraction: fraction }: Pick<BetView, 'stake_fraction'>): string {
  if (fraction === null || fraction === 0) return '';
  return `Of a bankroll of $${grouped(exampleDollars)}, the stake is ${dollars(exampleDollars * fraction)}.`;
}

/** In cents below one dollar. */
function moneyText(value: number): string {
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
  return `at least ${points} points above the market, and a return of at least ${percentText(minReturn * 100)} after the fee`;
}

/** The condition for a pick, after a comma. Empty if the report does not state it. */
export function pickRule(thresholds: Thresholds): string {
  const minReturn = thresholds['pick_min_return'];
  return minReturn === undefined
    ? ''
    : `, with an expected return of ${signedCents(minReturn)} per dollar or more`;
}

export function noBetReason(
  runtime: Pick<
    RuntimeView,
    | 'consensus_market_conflict'
    | 'estimate_missing'
    | 'bets_missing'
    | 'quote_age_seconds'
    | 'degraded'
    | 'method'
  >,
): string {
  const { thresholds } = runtime.method;
  if (runtime.consensus_market_conflict) {
    return 'Council and market are in conflict.';
  }
  if (runtime.estimate_missing !== null) return missingText(runtime.estimate_missing);
  if (runtime.bets_missing === 'unknown_fee')
    return 'The venue’s fee is of a kind that is not known here, so no bet can be priced.';
  const fresh = thresholds['quote_fresh_seconds'];
  if (fresh !== undefined && runtime.quote_age_seconds > fresh) {
    return `The prices were ${Math.round(runtime.quote_age_seconds)} seconds old when the report was completed, which is too old for a bet.`;
  }
  return `No price is wrong by enough. A bet needs ${edgeRule(thresholds, runtime.degraded)}, in a market with a narrow spread.`;
}
