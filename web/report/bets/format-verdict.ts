import type { MarketSnapshotView, ReportView } from '../../../contract/reports.js';
import type { BetView, RuntimeView } from '../../../contract/runtime.js';

/** The recommended action on the queried market. */
export function verdictTitle(
  report: Pick<ReportView, 'action' | 'queried_market' | 'market_snapshot'>,
): string {
  const { action, queried_market: market } = report;
  if (action === null || action === 'SKIP' || market === null) return 'Skip';
  return actionTitle(action, market, report.market_snapshot?.markets ?? []);
}

/** The reason for the action. Null without bets: the reason for that is said where they would be. */
export function verdictReason(
  report: Pick<ReportView, 'action'>,
  { top_bets: bets }: Pick<RuntimeView, 'top_bets'>,
): string | null {
  if (bets.length === 0) return null;
  return report.action === 'SKIP' ? 'No edge on this market.' : 'By the estimate, this side is too cheap.';
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
