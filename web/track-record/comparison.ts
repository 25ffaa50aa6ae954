import { verdictEventsMin } from '../../contract/product.js';

/** What the interval of a difference allows to conclude. */
export type Comparison = 'nothing' | 'too_few' | 'spans_zero' | 'below' | 'above';

interface Difference {
  readonly n: number;
  readonly events: number;
  readonly confidence_sequence_95: readonly [low: number, high: number] | null;
}

/** The rule of the verdict: no conclusion from a sequence that includes zero, or from few events. */
export function comparisonOf({ n, events, confidence_sequence_95: sequence }: Difference): Comparison {
  if (n === 0) return 'nothing';
  if (events < verdictEventsMin || sequence === null) return 'too_few';
  const [low, high] = sequence;
  if (low <= 0 && high >= 0) return 'spans_zero';
  return high < 0 ? 'below' : 'above';
}

export type ComparisonTexts = Readonly<Record<Comparison, string>>;

/** Texts for the difference of Brier scores, council − market. */
export const scoreTexts: ComparisonTexts = {
  nothing: 'no data yet',
  too_few: 'too few events',
  spans_zero: 'not distinguishable',
  below: 'council better',
  above: 'market better',
};

/** Estimate − market. */
export const estimateTexts: ComparisonTexts = { ...scoreTexts, below: 'estimate better' };

/** Council − its members' first opinions. */
export const reviewTexts: ComparisonTexts = {
  ...scoreTexts,
  below: 'review helped',
  above: 'review harmed',
};

/** Council − base rates alone. */
export const outsideViewTexts: ComparisonTexts = {
  ...scoreTexts,
  below: 'council better',
  above: 'base rates better',
};

/** Council without a member − council. */
export const leftOutTexts: ComparisonTexts = {
  ...scoreTexts,
  below: 'better without',
  above: 'worse without',
};

/** How a table allows for having several rows. */
export const adjustmentTexts = {
  none: 'Not adjusted for the number of rows.',
  bonferroni: 'The sequences are adjusted for the number of rows (Bonferroni).',
} as const;

/** Texts for the returns of bets. */
export const returnTexts: ComparisonTexts = {
  nothing: 'no bets yet',
  too_few: 'too few events',
  spans_zero: 'not distinguishable from zero',
  below: 'lost money',
  above: 'made money',
};
