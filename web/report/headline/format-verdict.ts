import type { MarketSnapshotView, ReportView } from '../../../contract/reports.js';
import type { BetView, RuntimeView } from '../../../contract/runtime.js';
import { percent } from '../../shared/format.js';
import { edgeRule } from '../bets/format-bets.js';

/** What to do about the queried market. */
export function verdictTitle(
  report: Pick<ReportView, 'action' | 'queried_market' | 'market_snapshot'>,
): string {
  const { action, queried_market: market } = report;
  if (action === null || action === 'SKIP' || market === null) return 'Skip';
  return actionTitle(action, market, report.market_snapshot?.markets ?? []);
}

/** Why, in a sentence. */
export function verdictReason(report: Pick<ReportView, 'action'>, runtime: RuntimeView): string {
  if (runtime.consensus_market_conflict) return 'Council and market are in conflict: nothing is bet on.';
  if (report.action !== 'SKIP') return 'The council finds this side too cheap; the arithmetic is below.';
  return `No edge on this market. That takes ${edgeRule(runtime.method.thresholds, runtime.degraded)}.`;
}

/** What the other of the two says of the headline. */
export function otherSide(
  runtime: Pick<
    RuntimeView,
    | 'most_likely_outcome'
    | 'most_likely_source'
    | 'market_probabilities'
    | 'market_implied_probabilities'
    | 'exclusive'
  >,
): string {
  const { most_likely_outcome: outcome, market_probabilities: councils } = runtime;
  if (runtime.most_likely_source === 'council') {
    const market = runtime.market_implied_probabilities[outcome] ?? null;
    return market === null ? 'The market has no price for it.' : `The market gives it ${percent(market)}.`;
  }
  const [favourite] = Object.entries(councils).sort(([, a], [, b]) => b - a);
  const own = councils[outcome];
  if (own === undefined || favourite === undefined) return '';
  return favourite[0] === outcome
    ? `The council gives it ${percent(own)}.`
    : `The council gives it ${percent(own)}, and its own favourite, ${favourite[0]}, ${percent(favourite[1])}.`;
}

/** Where the headline comes from. */
export function sourceName({ most_likely_source: source }: RuntimeView): string {
  return source === 'council' ? 'the council' : 'the market';
}

type Markets = MarketSnapshotView['markets'];

/** What buying is called: by the market's own names for its sides, where these are not Yes and No. */
export function betTitle(
  { side, market, slug }: Pick<BetView, 'side' | 'market' | 'slug'>,
  markets: Markets,
): string {
  const sides = markets.find(each => each.slug === slug)?.outcomes;
  return titleOf(side, market, sides);
}

/** The same for the verdict on a market that is known by its name only. */
export function actionTitle(side: BetView['side'], market: string, markets: Markets): string {
  const [only] = markets;
  const found = markets.find(each => each.market === market) ?? (markets.length === 1 ? only : undefined);
  return titleOf(side, market, found?.outcomes);
}

function titleOf(
  side: BetView['side'],
  market: string,
  sides: readonly [string, string] | undefined,
): string {
  const [yes, no] = sides ?? ['Yes', 'No'];
  if (yes === 'Yes' && no === 'No') return `Buy ${side === 'BUY_YES' ? 'YES' : 'NO'} on “${market}”`;
  return `Buy “${side === 'BUY_YES' ? yes : no}”`;
}
