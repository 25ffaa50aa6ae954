import { at } from '../../council/numbers.js';
import { confidenceSequence, evidenceOf } from './confidence-sequence.js';
import { bootstrapInterval, type Cluster } from './intervals.js';

/** A mean over events: one event, one vote, however many measurements it has. */
export interface DescribedMean {
  /** Number of measurements. */
  readonly n: number;
  /** Number of events that they belong to. */
  readonly events: number;
  /** Mean over the events of the mean of each event's measurements. Null if n is 0. */
  readonly mean: number | null;
  /** 95 %, from `bootstrapInterval` over events in the order of addition; a description. Null below two events. */
  readonly interval_95: Interval;
}

/** The mean of what outcomes decide, with the interval that a comparison may follow. */
export interface EventMean extends DescribedMean {
  /** 95 %, from `confidenceSequence`: may be looked at at any time. Null if n is 0. */
  readonly confidence_sequence_95: Interval;
}

export type Interval = readonly [low: number, high: number] | null;

/** Measurements with several values each, kept as one sum per value and event. */
export interface VotesByEvent {
  /** @param event its number, from `eventNumbers` */
  add(event: number, values: readonly number[]): void;
  /** @param includes which events count; all of them by default */
  finish(includes?: (event: number) => boolean): Votes;
}

/** A part of the events whose figures are published apart. */
export interface EventSlice {
  readonly includes: (event: number) => boolean;
  /** See `EventMeanInput`. */
  readonly slices: number;
}

export interface Votes {
  /** Number of measurements. */
  readonly n: number;
  readonly events: number;
  /** The events' means of each value, in the order of their first measurements. */
  readonly columns: readonly Float64Array[];
}

/** Numbers events in the order of their first reports, so that the figures do not each hold the ids of all events. */
export function eventNumbers() {
  const numbers = new Map<string, number>();
  return {
    numberOf: (eventId: string): number => {
      const known = numbers.get(eventId);
      if (known !== undefined) return known;
      numbers.set(eventId, numbers.size);
      return numbers.size - 1;
    },
    count: (): number => numbers.size,
  };
}

/** Memory: three numbers an event and one more for each value. */
export function votesByEvent(width: number): VotesByEvent {
  // The entry of an event is one more than its place; 0 if it has none.
  let places = new Uint32Array(64);
  const counts: number[] = [];
  const events: number[] = [];
  const sums = Array.from({ length: width }, (): number[] => []);
  return {
    add: (event, values) => {
      if (event >= places.length) places = grown(places, event);
      if (places[event] === 0) places[event] = events.push(event);
      const place = (places[event] ?? 0) - 1;
      counts[place] = (counts[place] ?? 0) + 1;
      for (const [column, ofEvents] of sums.entries())
        ofEvents[place] = (ofEvents[place] ?? 0) + at(values, column);
    },
    finish: includes => {
      const kept = [...events.keys()].filter(place => includes?.(at(events, place)) ?? true);
      return {
        n: kept.reduce((total, place) => total + at(counts, place), 0),
        events: kept.length,
        columns: sums.map(ofEvents =>
          Float64Array.from(kept, place => at(ofEvents, place) / at(counts, place)),
        ),
      };
    },
  };
}

function grown(places: Uint32Array<ArrayBuffer>, event: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(2 * places.length, event + 1));
  larger.set(places);
  return larger;
}

/** Null without events. */
export function meanOfEvents(values: Float64Array): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

/** The unit of the values, which decides at how many events a sequence is tight. */
export type Unit = 'brier' | 'dollar' | 'share' | 'growth';

/**
 * For `confidenceSequence`. Forecasts 8 points apart leave a width of 0.32 to a difference of Brier scores, a bet at
 * even odds one of 2 dollars, a share one of 1, and a bankroll with 5 % on even odds one of 0.1: each sequence is tight
 * from 100 to 1,000 such events.
 */
const tunedTo: Readonly<Record<Unit, number>> = { brier: 0.5, dollar: 50, share: 10, growth: 0.1 };

const error = 0.05;

export interface EventMeanInput {
  readonly n: number;
  readonly values: Float64Array;
  /** See `BoundedValues`. */
  readonly widths: Float64Array;
  readonly unit: Unit;
  /** Number of slices in the set that this is one of: their sequences hold together (Bonferroni). 1 for a figure alone. */
  readonly slices: number;
}

export function eventMean({ n, values, widths, unit, slices }: EventMeanInput): EventMean {
  return {
    ...describedMean(n, values),
    confidence_sequence_95: confidenceSequence(evidenceOf({ values, widths }), {
      error: error / slices,
      tunedTo: tunedTo[unit],
    }),
  };
}

/** The mean of what no outcome decides. A sequence allows for the chance in outcomes, and there is none. */
export function describedMean(n: number, values: Float64Array): DescribedMean {
  return {
    n,
    events: values.length,
    mean: meanOfEvents(values),
    interval_95: bootstrapInterval(clustersOf(values)),
  };
}

/** Means of several values, one event, one vote. */
export interface MeansByEvent {
  /** @param event its number, from `eventNumbers` */
  add(event: number, values: readonly number[]): void;
  finish(): EventMeans;
}

export interface EventMeans {
  /** Number of measurements. */
  readonly n: number;
  readonly events: number;
  /** Of each value, the mean over the events of the mean of each event's measurements. Null if n is 0. */
  readonly means: readonly (number | null)[];
}

export function meansByEvent(width: number): MeansByEvent {
  const votes = votesByEvent(width);
  return {
    add: (event, values) => votes.add(event, values),
    finish: () => {
      const { n, events, columns } = votes.finish();
      return { n, events, means: columns.map(meanOfEvents) };
    },
  };
}

/**
 * More would only take time: so many clusters of independent events show the same spread as the events. A prime, so that
 * a pattern in the order of the events is spread over the clusters.
 */
export const clustersMax = 997;

/** One cluster an event; above `clustersMax` events, the i-th one is dealt to cluster i modulo `clustersMax`. */
function clustersOf(values: Float64Array): Cluster[] {
  const count = Math.min(clustersMax, values.length);
  const clusters = Array.from({ length: count }, () => ({ sum: 0, count: 0 }));
  for (const [place, value] of values.entries()) {
    const cluster = at(clusters, place % count);
    cluster.sum += value;
    cluster.count += 1;
  }
  return clusters;
}
