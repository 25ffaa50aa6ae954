import { verdictEventsMin } from '../../contract/product.js';

/** What may be said of a difference by its interval. */
export type Comparison = 'nothing' | 'too_few' | 'spans_zero' | 'below' | 'above';

export interface Compared {
  readonly n: number;
  readonly events: number;
  readonly interval_95: readonly [low: number, high: number] | null;
}

/** The same rule as the verdict's: an interval that touches zero tells nothing, and neither do a few events. */
export function comparisonOf({ n, events, interval_95: interval }: Compared): Comparison {
  if (n === 0) return 'nothing';
  if (events < verdictEventsMin || interval === null) return 'too_few';
  const [low, high] = interval;
  if (low <= 0 && high >= 0) return 'spans_zero';
  return high < 0 ? 'below' : 'above';
}

/** Of Brier scores, council − market. */
export const scoreWords: Readonly<Record<Comparison, string>> = {
  nothing: 'nothing to compare yet',
  too_few: 'too few events to tell',
  spans_zero: 'not distinguishable',
  below: 'council better',
  above: 'market better',
};

/** Of returns of bets. */
export const returnWords: Readonly<Record<Comparison, string>> = {
  nothing: 'no bets yet',
  too_few: 'too few events to tell',
  spans_zero: 'not distinguishable from nothing',
  below: 'lost money',
  above: 'made money',
};
