import { estimate, type FormulaWeights } from '../estimate/estimate.js';
import type { OutcomeSet } from '../market/outcome-set.js';
import type { ImpliedDistribution } from '../market/prices.js';
import { estimateFormulas } from '../method.js';
import { at, roundDistribution, roundTo } from '../numbers.js';
import type { EstimateMissing } from '../report.js';
import type { Consensus, MemberForecast } from './consensus.js';
import { makeMonotone } from './make-monotone.js';

/** The estimate of a set of outcomes, with which the lists are aligned. */
export interface SetEstimate {
  /** Probabilities (0..1), unrounded; null without an estimate, and for an independent market without a firm price. */
  readonly fractions: readonly (number | null)[];
  /** The same in percent, as published. On an exclusive set they add up to exactly 100. */
  readonly percents: readonly (number | null)[];
  /** Why there is none at all; null if there is one. */
  readonly missing: EstimateMissing | null;
}

export interface SetEstimateInput {
  readonly set: OutcomeSet;
  readonly council: Pick<Consensus, 'fractions'>;
  readonly forecasts: readonly Pick<MemberForecast, 'fractions' | 'first'>[];
  readonly market: ImpliedDistribution;
  /** May be null if the prices imply nothing, because then they are not needed. */
  readonly weights: FormulaWeights | null;
}

/**
 * Weighs council and market on a set of outcomes: on an exclusive set as a whole, on independent markets one
 * by one, each as its own YES and NO, and then made monotone on ladders. Only prices that may overrule the council count; without them there is
 * no estimate, because it would be the council's number under another name.
 *
 * @throws RangeError without the weights that an estimate needs
 */
export function estimateSet(input: SetEstimateInput): SetEstimate {
  const missing = missingOf(input);
  if (missing !== null) {
    const none = input.set.outcomes.map(() => null);
    return { fractions: none, percents: none, missing };
  }
  if (input.weights === null) throw new RangeError('no estimate without weights');
  const { weights } = input;
  const { dispersionOf } = estimateFormulas[weights.kind];
  const members = input.forecasts.map(({ first, fractions }) =>
    dispersionOf === 'first' ? first : fractions,
  );
  if (!input.set.exclusive) {
    const fractions = makeMonotone(eachMarket(input, members, weights), input.set.ladders);
    return { fractions, percents: fractions.map(p => (p === null ? null : roundTo(p * 100, 1))), missing };
  }
  const fractions = wholeSet(input, members, weights);
  return { fractions, percents: roundDistribution(fractions), missing };
}

function missingOf({ set, market }: SetEstimateInput): EstimateMissing | null {
  if (market.basis === 'no_price' || market.basis === 'sum_out_of_range') return market.basis;
  const hasFirmPrice = set.exclusive ? market.trustworthy : market.firm.includes(true);
  return hasFirmPrice ? null : 'no_firm_price';
}

/** If the other prices add up, an outcome without a price has probability 0, which counts as the floor. */
function wholeSet(
  { council, market }: SetEstimateInput,
  members: readonly (readonly number[])[],
  weights: FormulaWeights,
): number[] {
  const rows = { council: council.fractions, market: market.fractions.map(p => p ?? 0), members };
  return estimate(rows, weights);
}

function eachMarket(
  { council, market }: SetEstimateInput,
  members: readonly (readonly number[])[],
  weights: FormulaWeights,
): (number | null)[] {
  return council.fractions.map((p, index) => {
    const price = at(market.fractions, index);
    if (price === null || !at(market.firm, index)) return null;
    const rows = {
      council: bothSides(p),
      market: bothSides(price),
      members: members.map(row => bothSides(at(row, index))),
    };
    return at(estimate(rows, weights), 0);
  });
}

function bothSides(yes: number): readonly [yes: number, no: number] {
  return [yes, 1 - yes];
}
