import { pool } from '../../../council/conclusion/consensus.js';
import { estimate } from '../../../council/estimate/estimate.js';
import { estimateMethod } from '../../../council/method.js';
import { scaledToOne } from '../../../council/numbers.js';
import { seededRandom } from '../../../council/random.js';
import type { Coefficients } from '../../../council/report.js';
import type { TimedSet } from '../../../record/learning/resolved-sets.js';

export interface Planting {
  readonly sets: number;
  /** Every so many sets belong to one event. */
  readonly setsPerEvent?: number;
  readonly outcomes?: number;
  readonly seed?: string;
  /** The first forecast was made then. */
  readonly from?: Date;
  /** Between two forecasts; 1 by default. */
  readonly hoursApart?: number;
  /** From a forecast to its resolution; 1 by default. */
  readonly daysToResolve?: number;
}

/**
 * Resolved sets whose outcomes are drawn from the estimate by the given coefficients: a market and four members that
 * err independently, so that both have something to tell.
 */
export function plantedSets(truth: Coefficients, planting: Planting): TimedSet[] {
  const { sets, setsPerEvent = 1, outcomes = 2, seed = 'planted' } = planting;
  const { hoursApart = 1, daysToResolve = 1 } = planting;
  const from = planting.from ?? new Date('2031-01-01T00:00:00Z');
  const random = seededRandom(seed);
  const noisy = (logs: readonly number[], scale: number) =>
    scaledToOne(logs.map(log => Math.exp(log + scale * normal(random))));
  return Array.from({ length: sets }, (_, index) => {
    const logs = Array.from({ length: outcomes }, () => 0.8 * normal(random));
    const market = noisy(logs, 0.7);
    const shift = logs.map(log => log + 0.7 * normal(random));
    const spread = 0.2 + 0.6 * random();
    const members = Array.from({ length: 4 }, () => noisy(shift, spread));
    const council = pool(members, { exclusive: true });
    const madeAt = from.getTime() + index * hoursApart * hourMs;
    return {
      event: `${seed}-${Math.floor(index / setsPerEvent)}`,
      market,
      council,
      members,
      happened: drawn(
        estimate({ market, council, members }, { kind: estimateMethod, coefficients: truth }),
        random(),
      ),
      madeAt: new Date(madeAt).toISOString(),
      resolvedAt: new Date(madeAt + daysToResolve * 24 * hourMs).toISOString(),
    };
  });
}

const hourMs = 3_600_000;

function drawn(probabilities: readonly number[], random: number): number {
  let total = 0;
  return probabilities.findIndex((p, index) => {
    total += p;
    return random < total || index === probabilities.length - 1;
  });
}

/** Standard normal (Box and Muller 1958). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
