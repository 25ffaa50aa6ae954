import { dispersionUsual, type EstimateMethod, estimateFormulas, poolClampMin } from '../method.js';
import { at, clamp, scaledToOne, sum } from '../numbers.js';
import type { Coefficients } from '../report.js';

/** What is known of one set of outcomes of which exactly one happens. All rows are aligned with the outcomes. */
export interface EstimateInput {
  /** The council's probabilities (0..1). */
  readonly council: readonly number[];
  /** The market's probabilities (0..1). */
  readonly market: readonly number[];
  /** Each member's probabilities (0..1), of the opinions that the formula names; at least one row. */
  readonly members: readonly (readonly number[])[];
}

/**
 * The estimate weighs market and council as a logarithmic pool with learnt exponents:
 *
 *     log p = a · log market + (b + c · (dispersion − usual)) · log council, normalised to 1
 *
 * With a = 0.8, b = 0.2 and c = 0 it is the fixed blend. There is no term for a named outcome, so nothing is learnt
 * about YES or NO as such. `estimateFormulas` has what the versions of the formula differ in.
 *
 * @returns one probability (0..1) per outcome, adding up to 1
 */
export function estimate(input: EstimateInput, { kind, coefficients }: FormulaWeights): number[] {
  return estimateOf(featuresOf(input, kind), toVector(coefficients));
}

/** Coefficients with the formula that they were fitted for. */
export interface FormulaWeights {
  readonly kind: EstimateMethod;
  readonly coefficients: Coefficients;
}

/** The coefficients in the order of the features. */
export type Vector = readonly number[];

export function toVector({ market, council, council_by_dispersion }: Coefficients): Vector {
  return [market, council, council_by_dispersion];
}

export function toCoefficients([market = 0, council = 0, council_by_dispersion = 0]: Vector): Coefficients {
  return { market, council, council_by_dispersion };
}

/** The number, per outcome, that each coefficient is multiplied with. */
export type Features = readonly Vector[];

/** Everything that an estimate depends on, so that fitting and estimating cannot differ. */
export function featuresOf({ council, market, members }: EstimateInput, kind: EstimateMethod): Features {
  const excess = dispersion(members) - dispersionUsual;
  const councilLogs = logsOf(council, poolClampMin);
  return logsOf(market, estimateFormulas[kind].priceMin).map((marketLog, index) => {
    const councilLog = at(councilLogs, index);
    return [marketLog, councilLog, excess * councilLog];
  });
}

export function estimateOf(features: Features, vector: Vector): number[] {
  const logs = features.map(row => dot(row, vector));
  const highest = Math.max(...logs);
  return scaledToOne(logs.map(log => Math.exp(log - highest)));
}

/** A loop, because fitting calls it millions of times. */
function dot(row: Vector, vector: Vector): number {
  let total = 0;
  for (let index = 0; index < row.length; index += 1) total += at(row, index) * at(vector, index);
  return total;
}

/**
 * How far apart the members are: the root of the mean variance of the log ratio of two outcomes, over all pairs of
 * outcomes. With two outcomes this is the standard deviation of the members' logits. For n outcomes it is computed from
 * centred logarithms (Aitchison 1982), which takes n steps instead of n².
 */
export function dispersion(members: readonly (readonly number[])[]): number {
  const rows = members.map(member => centred(logsOf(member, poolClampMin)));
  const variances = at(rows, 0).map((_, index) => variance(rows.map(row => at(row, index))));
  return Math.sqrt((2 * sum(variances)) / (variances.length - 1));
}

/** Natural logarithms. A 0 counts as `min` of two outcomes, and as 2 · min / n of n: no voice has a veto. */
function logsOf(probabilities: readonly number[], min: number): number[] {
  const floor = (2 * min) / probabilities.length;
  return scaledToOne(probabilities).map(p => Math.log(clamp(p, floor, 1 - floor)));
}

function centred(values: readonly number[]): number[] {
  const mean = sum(values) / values.length;
  return values.map(value => value - mean);
}

function variance(values: readonly number[]): number {
  return sum(centred(values).map(value => value ** 2)) / values.length;
}
