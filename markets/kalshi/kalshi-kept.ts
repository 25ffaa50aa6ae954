import { DayCache } from './day-cache.js';
import type { KalshiSeries } from './kalshi-schema.js';

/** What a process has read from Kalshi and keeps for a day. All its sources share one, whatever they read for. */
export interface KalshiKept {
  /** By ticker; null for a series that Kalshi does not know. */
  readonly series: DayCache<KalshiSeries | null>;
  /** Where an event is read, by its ticker. */
  readonly places: DayCache<KalshiPlace>;
}

/** The series of an event, and the shard of the exchange as part of a query, if it is not the first. */
export interface KalshiPlace {
  readonly series: string;
  readonly shard: Readonly<Record<string, string>>;
}

export function createKalshiKept(now: () => Date): KalshiKept {
  return { series: new DayCache(now), places: new DayCache(now) };
}
