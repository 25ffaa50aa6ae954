import { at } from '../../council/numbers.js';
import { seededRandom } from '../../council/random.js';

/** The mean of a set of measurements, each with equal weight, and its uncertainty. */
export interface ClusteredMean {
  readonly n: number;
  /** Number of events among the n measurements. Those of one event are one piece of evidence. */
  readonly events: number;
  /** Null if n is 0. */
  readonly mean: number | null;
  /** 95 %, from `bootstrapInterval` over events in the order of addition. Null below two events. */
  readonly interval_95: readonly [low: number, high: number] | null;
}

export interface ClusteredMeanBuilder {
  add(event: string, value: number): void;
  finish(): ClusteredMean;
}

/** Collects values and keeps two numbers per event, however many values it has. */
export function clusteredMean(): ClusteredMeanBuilder {
  const clusters = new Map<string, { sum: number; count: number }>();
  let sum = 0;
  let n = 0;
  return {
    add: (event, value) => {
      const known = clusters.get(event);
      if (known === undefined) clusters.set(event, { sum: value, count: 1 });
      else {
        known.sum += value;
        known.count += 1;
      }
      sum += value;
      n += 1;
    },
    finish: () => ({
      n,
      events: clusters.size,
      mean: n === 0 ? null : sum / n,
      interval_95: bootstrapInterval([...clusters.values()]),
    }),
  };
}

/** All measurements of one event, which are not independent evidence. */
export interface Cluster {
  readonly sum: number;
  readonly count: number;
}

const bootstrapResamples = 2_000;
const bootstrapSeed = 'council/bootstrap';
const tail = 0.025;

/**
 * 95 % percentile interval of a mean, by resampling whole clusters with replacement (the cluster bootstrap,
 * after Efron 1979). The draws use a fixed seed, so the same data give the same interval to the last bit.
 *
 * @returns null for fewer than two clusters, which show no spread
 */
export function bootstrapInterval(clusters: readonly Cluster[]): readonly [low: number, high: number] | null {
  if (clusters.length < 2) return null;
  // Typed arrays, because a hundred thousand clusters are drawn two thousand times.
  const sums = Float64Array.from(clusters, ({ sum }) => sum);
  const counts = Float64Array.from(clusters, ({ count }) => count);
  const next = seededRandom(bootstrapSeed);
  const means = Array.from({ length: bootstrapResamples }, () => resampledMean(sums, counts, next));
  means.sort((a, b) => a - b);
  const last = bootstrapResamples - 1;
  return [at(means, Math.floor(tail * last)), at(means, Math.ceil((1 - tail) * last))];
}

function resampledMean(sums: Float64Array, counts: Float64Array, next: () => number): number {
  let [sum, count] = [0, 0];
  for (let drawn = 0; drawn < sums.length; drawn += 1) {
    const cluster = floor(next() * sums.length);
    sum += sums[cluster] ?? 0;
    count += counts[cluster] ?? 0;
  }
  return sum / count;
}

/** Looked up once, because it is called millions of times. */
const { floor } = Math;

/** The normal distribution's 97.5 % quantile. */
const z = 1.959963984540054;

/**
 * 95 % interval of a share, by Wilson's score method (1927). It stays within 0 and 1 and is accurate for few
 * trials. Assumes independent trials.
 *
 * @returns null if there are no trials
 */
export function wilsonInterval(
  successes: number,
  trials: number,
): readonly [low: number, high: number] | null {
  if (trials === 0) return null;
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = (share + z ** 2 / (2 * trials)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
