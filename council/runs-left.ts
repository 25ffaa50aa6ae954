import { runsPerHour, runWindowSeconds } from './limits.js';

export interface RunsLeft {
  readonly left: number;
  /** Seconds until one more run may begin; 0 while there is one left. */
  readonly secondsToNext: number;
}

/**
 * How many fresh runs an account may still begin within the sliding hour.
 * @param begunAt of those within it that still count, newest first
 */
export function runsLeft(begunAt: readonly Date[], now: Date): RunsLeft {
  const blocking = begunAt[runsPerHour - 1];
  if (blocking === undefined) return { left: runsPerHour - begunAt.length, secondsToNext: 0 };
  const freeAt = blocking.getTime() + runWindowSeconds * 1_000;
  return { left: 0, secondsToNext: Math.max(1, Math.ceil((freeAt - now.getTime()) / 1_000)) };
}
