import { at } from '../../council/numbers.js';
import type { RecordedOutcome } from '../recorded-forecast.js';
import { type Interval, type MeansByEvent, meansByEvent } from './event-mean.js';
import { wilsonInterval } from './intervals.js';

/** Outcomes to which the council gave `from` ≤ p < `to` (the last bin includes 1). Each event has one vote in a bin. */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  /** Number of outcomes. */
  readonly n: number;
  /** Number of events that the n outcomes belong to. */
  readonly events: number;
  /** Mean over the events, of the mean of each event's outcomes in the bin. */
  readonly mean_probability: number | null;
  readonly share_happened: number | null;
  /**
   * 95 % Wilson interval with each event as one trial. The share of an event lies between 0 and 1, so it varies at most
   * as much as one trial: with several outcomes an event, the interval is too wide rather than too narrow.
   */
  readonly interval_95: Interval;
}

interface CalibrationBuilder {
  add(event: number, forecast: CalibratedForecast, outcomes: readonly CalibratedOutcome[]): void;
  finish(): CalibrationBin[];
}

interface CalibratedForecast {
  readonly outcomes: readonly Pick<RecordedOutcome, 'council' | 'side'>[];
}

interface CalibratedOutcome {
  /** 0 to 1; null if the outcome has no result. */
  readonly happened: number | null;
}

const binCount = 10;
const binWidthPercent = 100 / binCount;

/**
 * Counts each outcome, but only the YES of a single market, whose NO carries the same information.
 *
 * @param createMeans for events in any order by default
 */
export function calibrationBuilder(
  createMeans: (width: number) => MeansByEvent = meansByEvent,
): CalibrationBuilder {
  const bins = Array.from({ length: binCount }, () => createMeans(2));
  return {
    add: (event, { outcomes }, graded) => {
      for (const [index, { council, side }] of outcomes.entries()) {
        const happened = at(graded, index).happened;
        if (happened === null || side === 'no') continue;
        const bin = Math.min(binCount - 1, Math.floor(council / binWidthPercent));
        at(bins, bin).add(event, [council / 100, happened]);
      }
    },
    finish: () =>
      bins.map((bin, index) => {
        const { n, events, means } = bin.finish();
        const [probability, share] = [at(means, 0), at(means, 1)];
        return {
          from: index / binCount,
          to: (index + 1) / binCount,
          n,
          events,
          mean_probability: probability,
          share_happened: share,
          interval_95: share === null ? null : wilsonInterval(share * events, events),
        };
      }),
  };
}
