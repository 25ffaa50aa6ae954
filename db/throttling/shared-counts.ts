import type pg from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
  RLWrapperTimeouts,
} from 'rate-limiter-flexible';
import { sharedCountsRetriedAfterMs, sharedCountWithinMs } from '../../purchase/limits.js';

/**
 * Counts that all API processes share. Invariants:
 * - adding is one atomic statement, so that no two processes see the same count;
 * - a count ends with its window, which begins with the first addition and is never extended;
 * - without the database, each process counts in its memory: nothing becomes unlimited, and nothing stops.
 */
export interface SharedCounts {
  /** @param windowSeconds of a count that begins with this addition */
  add(key: string, points: number, windowSeconds: number): Promise<SharedCount>;
  /** Null if nothing is counted at present. */
  read(key: string): Promise<SharedCount | null>;
  /** Begins a new window. */
  set(key: string, points: number, windowSeconds: number): Promise<void>;
  forget(key: string): Promise<void>;
}

export interface SharedCount {
  readonly points: number;
  /** Until the window ends. */
  readonly msLeft: number;
}

/**
 * The library creates no table and starts no timer: migrations and the duty `prune` do that.
 * @param onAway called when the shared counts cannot be reached, at most every few seconds
 */
export function createSharedCounts(
  pool: pg.Pool,
  onAway: (error: unknown) => void,
  withinMs = sharedCountWithinMs,
): SharedCounts {
  const { counter, memory } = createCounters(pool, withinMs);
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  async function counted<Result>(count: (on: RateLimiterAbstract) => Promise<Result>): Promise<Result> {
    // So that not every request waits for a database that does not respond.
    if (performance.now() < awayUntilMs) return count(memory);
    try {
      return await count(counter);
    } catch (error) {
      if (performance.now() >= awayUntilMs) onAway(error);
      awayUntilMs = performance.now() + sharedCountsRetriedAfterMs;
      return count(memory);
    }
  }
  return {
    add: (key, points, windowSeconds) =>
      counted(async on => countOf(await on.penalty(key, points, { customDuration: windowSeconds }))),
    read: key =>
      counted(async on => {
        const found = await on.get(key);
        return found === null ? null : countOf(found);
      }),
    set: (key, points, windowSeconds) =>
      counted(async on => {
        await on.set(key, points, windowSeconds);
      }),
    forget: key =>
      counted(async on => {
        await on.delete(key);
      }),
  };
}

/** Counts of this process alone. */
export function createProcessCounts(): Pick<SharedCounts, 'add'> {
  const memory = new RateLimiterMemory(unlimited);
  return {
    add: async (key, points, windowSeconds) =>
      countOf(await memory.penalty(key, points, { customDuration: windowSeconds })),
  };
}

/** The library's own limits are not used: each caller compares the count with its own. */
const unlimited = { points: 1, duration: 1, keyPrefix: '' };

function createCounters(pool: pg.Pool, timeoutMs: number) {
  const limiter = new RateLimiterPostgres({
    ...unlimited,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'throttle_counts',
    tableCreated: true,
    clearExpiredByTimeout: false,
  });
  return {
    counter: new RLWrapperTimeouts({ limiter, timeoutMs }),
    memory: new RateLimiterMemory(unlimited),
  };
}

function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): SharedCount {
  return { points: consumedPoints, msLeft: msBeforeNext };
}
