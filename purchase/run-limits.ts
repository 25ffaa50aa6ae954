import type { RunFailureCode } from '../council/report.js';
import {
  eventRestSeconds,
  failuresBeforeRest,
  runsPerHour,
  runWindowSeconds,
  uncountedRefundsPerHour,
} from './limits.js';

/**
 * What bounds fresh runs: the hourly limit of an account, and the rest of an event whose runs fail. Failing runs are
 * refunded, but their models are paid: without these bounds, a run that always fails could be bought in a loop.
 */

/** The fresh runs that an account started within the sliding hour: when, newest first. */
export interface RecentRuns {
  /** Runs in progress or completed. */
  readonly charged: readonly Date[];
  readonly refunded: readonly Date[];
}

export interface RunsLeft {
  readonly left: number;
  /** Seconds until another run may start; 0 if one is left. */
  readonly secondsToNext: number;
}

/**
 * The fresh runs that an account may still start within the sliding hour. Of the refunded runs, the newest five do not
 * count. Those that count are the oldest, so the count falls whenever one of them leaves the hour.
 */
export function runsLeft({ charged, refunded }: RecentRuns, now: Date): RunsLeft {
  const counted = [...charged, ...refunded.slice(uncountedRefundsPerHour)]
    .map(startedAt => startedAt.getTime())
    .sort((a, b) => b - a);
  const blocking = counted[runsPerHour - 1];
  if (blocking === undefined) return { left: runsPerHour - counted.length, secondsToNext: 0 };
  return { left: 0, secondsToNext: Math.max(1, secondsUntil(blocking + runWindowSeconds * 1_000, now)) };
}

/**
 * The failures that can let an event rest. An operator's cancellation, and a run that was stopped from outside, say
 * nothing about the next run of the event.
 */
export const failuresThatRest = [
  'quorum_lost',
  'no_chairman',
  'event_closed',
  'market_unavailable',
  'internal',
] as const satisfies readonly RunFailureCode[];

/**
 * Seconds for which an event still rests because its last two failures were at most 15 minutes apart; 0 if it does not.
 * @param failedAt its latest failures, newest first
 */
export function restSecondsLeft(failedAt: readonly Date[], now: Date): number {
  const last = failedAt[0]?.getTime();
  const earlier = failedAt[failuresBeforeRest - 1]?.getTime();
  if (last === undefined || earlier === undefined) return 0;
  const restMs = eventRestSeconds * 1_000;
  return last - earlier > restMs ? 0 : Math.max(0, secondsUntil(last + restMs, now));
}

function secondsUntil(ms: number, now: Date): number {
  return Math.ceil((ms - now.getTime()) / 1_000);
}
