import type { CouncilModel } from '../../council/models.js';
import type { DeliberationView } from '../deliberation.js';
import type { RuntimeView } from '../runtime.js';
import { type NameOf, shortName } from './evidence-text.js';

/**
 * What a report says about the distance between council and market, shared by the page, the report in Markdown and the
 * tools of agents.
 */

/** What stands beside the explanation: who wrote it, and that it weighed on nothing. */
export function gapAuthorText(model: CouncilModel, nameOf: NameOf = shortName): string {
  return `Written by ${nameOf(model)} with the price in view, after all forecasts were final; it changed no number.`;
}

/** How far apart the two are, with both numbers. Null if they are close, or the market is not trustworthy. */
export function gapNumbersText({
  market_gap: gap,
  market_probabilities: outcomes,
}: Pick<RuntimeView, 'market_gap' | 'market_probabilities'>): string | null {
  if (gap === null) return null;
  const { outcome, council, market, points } = gap;
  // Of two outcomes, the other one is as far.
  const widest = Object.keys(outcomes).length > 2 ? ', where they are furthest apart,' : '';
  return `On “${outcome}”${widest} the council says ${council} %, the market ${market} %: ${points} points apart.`;
}

/** Stands in place of an explanation that is missing. Null if there is one, or none to give. */
export function lostGapText(
  { market_gap: gap }: Pick<RuntimeView, 'market_gap'>,
  { market_gap: reasons }: Pick<DeliberationView, 'market_gap'>,
): string | null {
  return gap !== null && reasons === null ? 'The explanation was lost.' : null;
}
