import { estimate } from '../../../council/estimate/estimate.js';
import { shippedWeights } from '../../../council/estimate/first-weights.js';
import { finish } from '../../../council/estimate/steps.js';
import type { Weights } from '../../../council/estimate/weights.js';
import { estimateMethod } from '../../../council/method.js';
import { at, sum } from '../../../council/numbers.js';
import type { Coefficients } from '../../../council/report.js';
import type { Challenger } from '../../../record/learning/challengers.js';
import { refitWeights } from '../../../record/learning/refit-weights.js';
import { plantedSets } from './planted-sets.js';

export interface RefitYear {
  /** The weights that came into force, in their order. */
  readonly activated: readonly Weights[];
  /** The highest e-value that any refit found against the first weights. */
  readonly eValueMax: number;
}

const events = 520;
const weeks = 52;
const hoursPerWeek = 168;
const weekMs = hoursPerWeek * 3_600_000;
const from = new Date('2031-01-06T00:00:00Z');

/**
 * A year of a service whose outcomes are drawn from the estimate by `truth`: ten events a week, each resolved three
 * weeks after its report, and a refit every so many weeks.
 */
export function refitYear(truth: Coefficients, seed: string, { weeksApart = 1 } = {}): RefitYear {
  const hoursApart = (weeks * hoursPerWeek) / events;
  const sets = plantedSets(truth, { sets: events, seed, from, hoursApart, daysToResolve: 21 });
  const activated: Weights[] = [];
  let incumbent: Weights = shippedWeights;
  let challengers: Challenger[] = [];
  let eValueMax = 0;
  for (let week = 4; week <= weeks + 3; week += weeksApart) {
    const cutOff = new Date(from.getTime() + week * weekMs).toISOString();
    const known = sets.filter(({ resolvedAt }) => resolvedAt < cutOff);
    const hashed = { sets: known, rowsSha256: 'a'.repeat(64) };
    const times = { cutOff, createdAt: cutOff };
    const refit = refitWeights({ id: `${seed}-${week}`, ...hashed, ...times, incumbent, challengers });
    const { weights, activate, evidence } = finish(refit);
    if (activated.length === 0) eValueMax = Math.max(eValueMax, evidence.eValue);
    if (weights === null) continue;
    if (activate) {
      activated.push(weights);
      incumbent = weights;
      challengers = [];
    } else challengers.push({ weights, frozenAt: cutOff });
  }
  return { activated, eValueMax };
}

/** Expected Brier score minus that of the first weights, on other events whose outcomes are drawn by `truth`. */
export function expectedGain(coefficients: Coefficients, truth: Coefficients): number {
  const sets = plantedSets(truth, { sets: 2_000, seed: 'other events' });
  const differences = sets.map(set => {
    const estimateBy = (by: Coefficients) => at(estimate(set, { kind: estimateMethod, coefficients: by }), 0);
    const missBy = (tried: Coefficients) => (estimateBy(tried) - estimateBy(truth)) ** 2;
    return missBy(coefficients) - missBy(shippedWeights.coefficients);
  });
  return sum(differences) / differences.length;
}
