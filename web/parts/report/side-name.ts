import type { MarketSnapshotView } from '../../../contract/reports.js';
import type { BetView } from '../../../contract/runtime.js';

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
