import type { OutcomeSet } from '../market/outcome-set.js';
import type { ImpliedDistribution } from '../market/prices.js';
import { marketGapMinPoints } from '../method.js';
import { at, atLeast, roundTo } from '../numbers.js';
import type { MarketGap } from '../report.js';
import type { Consensus } from './consensus.js';

/**
 * The outcome on which the council and a trustworthy market are furthest apart, if that is 8 points or more. Compares what
 * the report publishes. Of outcomes as far apart, the first.
 */
export function marketGap(
  { exclusive, outcomes }: Pick<OutcomeSet, 'exclusive' | 'outcomes'>,
  council: Pick<Consensus, 'percents'>,
  market: Pick<ImpliedDistribution, 'percents' | 'trustworthy' | 'firm'>,
): MarketGap | null {
  let widest: MarketGap | null = null;
  for (const [index, { name }] of outcomes.entries()) {
    const priced = at(market.percents, index);
    if (priced === null || !(exclusive ? market.trustworthy : at(market.firm, index))) continue;
    const ours = at(council.percents, index);
    const points = roundTo(Math.abs(ours - priced), 1);
    if (atLeast(points, marketGapMinPoints) && points > (widest?.points ?? 0))
      widest = { outcome: name, council: ours, market: priced, points };
  }
  return widest;
}
