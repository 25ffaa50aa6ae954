import { missingText } from '../../../contract/report-text/estimate-text.js';
import type { MarketSnapshotView, ReportView } from '../../../contract/reports.js';
import type { BetView, RuntimeView } from '../../../contract/runtime.js';
import { percentText } from '../../shared/format.js';
import { edgeRule } from '../bets/format-bets.js';

/** The recommended action on the queried market. */
export function verdictTitle(
  report: Pick<ReportView, 'action' | 'queried_market' | 'market_snapshot'>,
): string {
  const { action, queried_market: market } = report;
  if (action === null || action === 'SKIP' || market === null) return 'Skip';
  return actionTitle(action, market, report.market_snapshot?.markets ?? []);
}

/** The reason for the action. */
export function verdictReason(report: Pick<ReportView, 'action'>, runtime: RuntimeView): string {
  if (runtime.consensus_market_conflict) return 'Council and market are in conflict, so no bet is suggested.';
  if (report.action !== 'SKIP') {
    return 'By the estimate, this side is too cheap. The calculation is below.';
  }
  if (runtime.estimate_missing !== null) return missingText(runtime.estimate_missing);
  return `No edge on this market. An edge needs ${edgeRule(runtime.method.thresholds, runtime.degraded)}.`;
}

/** The other numbers of the headline's outcome: the market's, or the council's if the headline is the market's. */
export function counterpartText(
  runtime: Pick<
    RuntimeView,
    | 'most_likely_outcome'
    | 'most_likely_source'
    | 'market_probabilities'
    | 'market_implied_probabilities'
    | 'estimate'
  >,
): string {
  const estimate = runtime.estimate?.probabilities[runtime.most_likely_outcome] ?? null;
  const other = runtime.most_likely_source === 'council' ? marketText(runtime) : councilText(runtime);
  return estimate === null ? other : `${other} Estimate: ${percentText(estimate)}.`;
}

type Headline = Pick<
  RuntimeView,
  'most_likely_outcome' | 'market_probabilities' | 'market_implied_probabilities'
>;

function marketText({
  most_likely_outcome: outcome,
  market_implied_probabilities: market,
}: Headline): string {
  const price = market[outcome] ?? null;
  return price === null ? 'The market has no price for this outcome.' : `Market: ${percentText(price)}.`;
}

function councilText({ most_likely_outcome: outcome, market_probabilities: council }: Headline): string {
  const [favourite] = Object.entries(council).sort(([, a], [, b]) => b - a);
  const own = council[outcome];
  if (own === undefined || favourite === undefined) return '';
  return favourite[0] === outcome
    ? `Council: ${percentText(own)}.`
    : `Council: ${percentText(own)}. The council’s favourite is ${favourite[0]} with ${percentText(favourite[1])}.`;
}

/** Whose probability the headline is. */
export function sourceName({ most_likely_source: source }: RuntimeView): string {
  return source === 'council' ? 'the council' : 'the market';
}

type Markets = MarketSnapshotView['markets'];

/** Names a bet by the market's own names for its sides, unless they are Yes and No. */
export function betTitle(
  { side, market, slug }: Pick<BetView, 'side' | 'market' | 'slug'>,
  markets: Markets,
): string {
  const sides = markets.find(each => each.slug === slug)?.outcomes;
  return titleOf(side, market, sides);
}

/** The same for the verdict, which identifies its market only by name. */
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
