import { at } from './at.js';
import { seededRandom } from './seeded-random.js';

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
