import { missingText } from '../../../contract/report-text/estimate-text.js';
import { otherFavourites } from '../../../contract/report-text/leading-number.js';
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

/** The favourites of council and market, where they are another outcome than the one that leads. */
export function otherFavouritesText(runtime: Parameters<typeof otherFavourites>[0]): string {
  return otherFavourites(runtime)
    .map(
      ({ name, outcome, percent }) => `The ${name}’s favourite is ${outcome} with ${percentText(percent)}.`,
    )
    .join(' ');
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
