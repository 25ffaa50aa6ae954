import { verdictEventsMin } from '../../contract/product.js';

/** What the interval of a difference allows to conclude. */
export type Comparison = 'nothing' | 'too_few' | 'spans_zero' | 'below' | 'above';

interface Difference {
  readonly n: number;
  readonly events: number;
  readonly interval_95: readonly [low: number, high: number] | null;
}

/** As in the verdict: no conclusion from an interval that includes zero, or from few events. */
export function comparisonOf({ n, events, interval_95: interval }: Difference): Comparison {
  if (n === 0) return 'nothing';
  if (events < verdictEventsMin || interval === null) return 'too_few';
  const [low, high] = interval;
  if (low <= 0 && high >= 0) return 'spans_zero';
  return high < 0 ? 'below' : 'above';
}

/** For the difference of Brier scores, council − market. */
export const scoreTexts: Readonly<Record<Comparison, string>> = {
  nothing: 'no data yet',
  too_few: 'too few events',
  spans_zero: 'not distinguishable',
  below: 'council better',
  above: 'market better',
};

/** For the returns of bets. */
export const returnTexts: Readonly<Record<Comparison, string>> = {
  nothing: 'no bets yet',
  too_few: 'too few events',
  spans_zero: 'not distinguishable from zero',
  below: 'lost money',
  above: 'made money',
};
