import { at } from '../../council/numbers.js';

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
