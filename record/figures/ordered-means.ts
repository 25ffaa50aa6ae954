import { at } from '../../council/numbers.js';
import { clustersMax, type EventMeans, type Interval, type MeansByEvent } from './event-mean.js';
import { bootstrapInterval } from './intervals.js';

/** A mean in which each measurement has one vote, beside that in which each event has one. */
export interface MeasurementMean {
  /** Null if there is none. */
  readonly mean: number | null;
  /** 95 %, from `bootstrapInterval` over events in their order. Null below two events. */
  readonly interval_95: Interval;
  /** Mean over the events of the mean of each event's measurements. */
  readonly mean_of_events: number | null;
}

export interface OrderedMeans extends MeansByEvent {
  finish(): EventMeans & { readonly measurementMean: (column: number) => MeasurementMean };
}

/**
 * Means of measurements of which those of one event follow one another. Keeps the events of which intervals are drawn, and no
 * more however many there are.
 */
export function orderedMeans(width: number): OrderedMeans {
  const columns = Array.from({ length: width }, orderedColumn);
  let [n, events, last] = [0, 0, -1];
  return {
    add: (event, values) => {
      const isNew = event !== last;
      if (isNew) events += 1;
      last = event;
      n += 1;
      for (let index = 0; index < width; index += 1)
        at(columns, index).add(events - 1, isNew, at(values, index));
    },
    finish: () => ({
      n,
      events,
      means: columns.map(column => (n === 0 ? null : column.sumOfMeans() / events)),
      measurementMean: index => at(columns, index).finish(n, events),
    }),
  };
}

function orderedColumn() {
  const clusters: { sum: number; count: number }[] = [];
  let [total, meansBefore] = [0, 0];
  const current = { sum: 0, count: 0 };
  const sumOfMeans = () => (current.count === 0 ? 0 : meansBefore + current.sum / current.count);
  return {
    /** @param place of the event among the events, from 0 */
    add: (place: number, isNew: boolean, value: number): void => {
      if (isNew) {
        meansBefore = sumOfMeans();
        current.sum = 0;
        current.count = 0;
        if (place < clustersMax) clusters.push({ sum: 0, count: 0 });
      }
      current.sum += value;
      current.count += 1;
      const cluster = at(clusters, place % clustersMax);
      cluster.sum += value;
      cluster.count += 1;
      total += value;
    },
    sumOfMeans,
    finish: (n: number, events: number): MeasurementMean => ({
      mean: n === 0 ? null : total / n,
      interval_95: bootstrapInterval(clusters),
      mean_of_events: events === 0 ? null : sumOfMeans() / events,
    }),
  };
}
