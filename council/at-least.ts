import { comparisonTolerance } from './method.js';

/** `value ≥ threshold` as decimals would have it: 0.8 − 0.55 reaches 0.25. */
export function atLeast(value: number, threshold: number): boolean {
  return value >= threshold - comparisonTolerance;
}
