import { at } from '../numbers.js';
import { seededRandom } from '../random.js';

/** A mean over measurements, each of which counts once, with what its evidence is worth. */
export interface ClusteredMean {
  readonly n: number;
  /** Events that the n are of, or questions: what is measured on one stands or falls together, and is one piece of evidence. */
  readonly events: number;
  /** Null of none. */
  readonly mean: number | null;
  /** 95 %, events drawn whole (`bootstrap-interval.ts`), in the order in which they were first added. Null below two. */
  readonly interval_95: readonly [low: number, high: number] | null;
}

export interface ClusteredMeanSoFar {
  add(event: string, value: number): void;
  finish(): ClusteredMean;
}

/** Gathers values; keeps two numbers an event, however many there are of it. */
export function clusteredMean(): ClusteredMeanSoFar {
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

/** Everything measured on one cluster: what cannot be told apart as independent evidence. */
export interface Cluster {
  readonly sum: number;
  readonly count: number;
}

const bootstrapResamples = 2_000;
const bootstrapSeed = 'council/bootstrap';
const tail = 0.025;

/**
 * 95 % percentile interval of a mean, by resampling whole clusters with replacement (Efron's bootstrap, clustered).
 * Two questions of one cluster stand or fall together, so they are drawn together. The draws follow from a fixed
 * seed: the same data give the same interval to the last bit.
 *
 * @returns null for fewer than two clusters, from which no spread can be told
 */
export function bootstrapInterval(clusters: readonly Cluster[]): readonly [low: number, high: number] | null {
  if (clusters.length < 2) return null;
  // Flat numbers: a hundred thousand clusters are drawn two thousand times.
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

/** Looked up once: it is called millions of times. */
const { floor } = Math;

/** The normal distribution's 97.5 % quantile. */
const z = 1.959963984540054;

/**
 * 95 % interval of a share, by Wilson's score method (1927): it stays within 0 and 1, and is honest for few trials.
 * It takes the trials to be independent of one another.
 *
 * @returns null of no trials
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
