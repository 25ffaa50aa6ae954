import { at } from '../numbers.js';
import type { GradedOutcome } from './grade.js';
import { wilsonInterval } from './intervals.js';
import type { RecordedForecast } from './recorded-forecast.js';

/** Outcomes to which the council gave `from` ≤ p < `to` (in the last bin 1 too), and how many of them happened. */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** Events that the n are of. */
  readonly events: number;
  readonly mean_probability: number | null;
  readonly share_happened: number | null;
  /**
   * 95 %, Wilson's, as if the n were independent. Outcomes and repeated reports of one event are not, so where
   * `events` is much smaller than `n` the truth is wider than this.
   */
  readonly interval_95: readonly [low: number, high: number] | null;
}

export interface CalibrationSoFar {
  add(forecast: RecordedForecast, outcomes: readonly GradedOutcome[]): void;
  finish(): CalibrationBin[];
}

const binCount = 10;
const binWidthPercent = 100 / binCount;

/** Every outcome once; of a market asked about alone its YES only, because its NO would say the same twice. */
export function calibration(): CalibrationSoFar {
  const bins = Array.from({ length: binCount }, () => ({ n: 0, percents: 0, happened: 0, events: 0 }));
  // One bit a bin: which of them an event has been counted in.
  const countedIn = new Map<string, number>();
  return {
    add: ({ event_id: eventId, outcomes }, graded) => {
      for (const [index, { council, side }] of outcomes.entries()) {
        const happened = at(graded, index).happened;
        if (happened === null || side === 'no') continue;
        const place = Math.min(binCount - 1, Math.floor(council / binWidthPercent));
        const bin = at(bins, place);
        bin.n += 1;
        bin.percents += council;
        bin.happened += happened;
        const counted = countedIn.get(eventId) ?? 0;
        if ((counted & (1 << place)) === 0) bin.events += 1;
        countedIn.set(eventId, counted | (1 << place));
      }
    },
    finish: () =>
      bins.map(({ n, percents, happened, events }, place) => ({
        from: place / binCount,
        to: (place + 1) / binCount,
        n,
        events,
        mean_probability: n === 0 ? null : percents / 100 / n,
        share_happened: n === 0 ? null : happened / n,
        interval_95: wilsonInterval(happened, n),
      })),
  };
}
