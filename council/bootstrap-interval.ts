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
  const next = seededRandom(bootstrapSeed);
  const means = Array.from({ length: bootstrapResamples }, () => resampledMean(clusters, next));
  means.sort((a, b) => a - b);
  const last = bootstrapResamples - 1;
  return [at(means, Math.floor(tail * last)), at(means, Math.ceil((1 - tail) * last))];
}

function resampledMean(clusters: readonly Cluster[], next: () => number): number {
  let sum = 0;
  let count = 0;
  for (let drawn = 0; drawn < clusters.length; drawn += 1) {
    const cluster = at(clusters, floor(next() * clusters.length));
    sum += cluster.sum;
    count += cluster.count;
  }
  return sum / count;
}

/** Looked up once: it is called millions of times. */
const { floor } = Math;
