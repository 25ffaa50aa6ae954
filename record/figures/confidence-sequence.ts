import { at } from '../../council/numbers.js';

/** Measurements with one value per event, and how far chance can move each. */
export interface BoundedValues {
  /** The mean over an event's measurements. */
  readonly values: Float64Array;
  /**
   * Aligned with `values`: the distance between the least and the greatest value that was possible. Known before the
   * event's outcome, and independent of it.
   */
  readonly widths: Float64Array;
}

/** What a sequence needs to know of the events so far. */
export interface SequenceEvidence {
  readonly events: number;
  readonly mean: number;
  /** V_t; see `confidenceSequence`. */
  readonly variance: number;
}

export interface SequenceSettings {
  /** Probability that the sequence ever excludes the mean that it is for, at most. */
  readonly error: number;
  /** The sum of `width² / 4` over the events at which the sequence is about as narrow as it can be, divided by 8. */
  readonly tunedTo: number;
}

/**
 * A confidence sequence of a mean over events: the interval may be looked at after every event, for as long as one
 * likes, and the probability that any of them excludes the mean is still at most `error`. It is the two-sided normal
 * mixture of Robbins (1970), as in Howard, Ramdas, McAuliffe and Sekhon (2021, eq. 14). Choe and Ramdas (2024) compare
 * forecasters in this way.
 *
 * What it covers. Let D_i be the value of the i-th event and μ_i its expectation, given all that was known before its
 * outcome: the outcomes of earlier events, and the forecasts. The interval is for the mean of μ_1 … μ_t, the difference
 * to be expected on these questions. Events need not be alike: each has its own μ_i.
 *
 * Proof. 1. D_i lies in an interval of width w_i that is known before its outcome. Hoeffding's lemma: for every λ,
 * E[exp(λ(D_i − μ_i) − λ²w_i²/8)] ≤ 1, given what was known. With S_t = Σ(D_i − μ_i) and V_t = Σ w_i²/4, exp(λS_t − λ²V_t/2)
 * is therefore a supermartingale that begins with 1. 2. So is its mean over λ ~ N(0, 1/ρ), which is
 * √(ρ/(V_t + ρ)) · exp(S_t² / (2(V_t + ρ))). 3. By Ville's inequality (1939) it ever reaches 1/α with probability α at
 * most. Solved for S_t: with probability 1 − α, |S_t| < √((V_t + ρ) ln((V_t + ρ)/(ρα²))) for all t at once. The bound grows
 * with V_t, so a larger V_t is safe.
 *
 * V_t is the larger of Σ w_i²/4 and Σ(D_i − mean)². The second one matters only where forecasts were worse than a coin:
 * then it keeps the interval wide enough for the mean of questions drawn at random, too.
 *
 * Nothing in it depends on the order of the events, so there is no order to choose, and a corrected outcome replaces the
 * value of its event as if it had been right at once.
 *
 * @returns null without events
 */
export function confidenceSequence(
  { events, mean, variance }: SequenceEvidence,
  { error, tunedTo: rho }: SequenceSettings,
): readonly [low: number, high: number] | null {
  if (events === 0) return null;
  const mixed = variance + rho;
  const radius = Math.sqrt(mixed * Math.log(mixed / (rho * error ** 2))) / events;
  return [mean - radius, mean + radius];
}

export function evidenceOf({ values, widths }: BoundedValues): SequenceEvidence {
  const events = values.length;
  const mean = sumOf(values) / events;
  const possible = sumOf(widths.map(width => width ** 2 / 4));
  const observed = sumOf(values.map(value => (value - mean) ** 2));
  return { events, mean, variance: Math.max(possible, observed) };
}

function sumOf(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Probabilities, or null where the forecaster lacks one. */
type Row = readonly (number | null)[];

/**
 * How far the outcome can move the difference of two forecasters' Brier scores: the greatest difference that was
 * possible minus the least one. It depends on the forecasts alone, so it is known before the outcome. Two forecasts
 * that are nearly the same have nearly the same score, whatever happens.
 *
 * Exclusive outcomes: if k happens, the difference is Σp² − Σq² − 2(p_k − q_k), so the width is twice the distance
 * between the greatest and the least p_k − q_k. Independent markets: 4|p − q| on each, and the mean over them.
 *
 * @param first percents aligned with those of `second`
 */
export function brierWidth(first: Row, second: Row, exclusive: boolean): number {
  const apart = first.map((p, index) => ((p ?? 0) - (at(second, index) ?? 0)) / 100);
  if (apart.length === 0) return 0;
  if (exclusive) return 2 * (Math.max(...apart) - Math.min(...apart));
  return (4 * apart.reduce((total, distance) => total + Math.abs(distance), 0)) / apart.length;
}
