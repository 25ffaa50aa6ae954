import { bootstrapInterval } from './bootstrap-interval.js';

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
