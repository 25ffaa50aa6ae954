import { LRUCache } from 'lru-cache';
import type { SharedCounts } from '../../db/throttling/shared-counts.js';
import { leaseHoldersMax, leasesPerLimit, requestWindowSeconds } from '../../purchase/limits.js';

/**
 * Spends a limit that all processes share without asking the database at each request. A process leases a part of the
 * limit, spends it in memory, and asks for the next part ahead of need. All leases of a window together never exceed
 * the limit. What a process has leased and not spent is lost with the window: a caller who is served by many
 * processes can be refused up to one part per process early.
 */
export interface Leases {
  /** Takes one request out of the limit of a key. */
  take(key: string, limit: number): Promise<Allowance>;
}

export interface Allowance {
  readonly allowed: boolean;
  /** The number that is left in this window, or less, as this process knows. */
  readonly remaining: number;
  readonly secondsLeft: number;
}

/**
 * @param elapsedMs a clock that never goes back
 * @param countKey the name of a key's shared count, which is asked for with each lease only
 */
export function createLeases(
  counts: Pick<SharedCounts, 'add'>,
  elapsedMs: () => number,
  countKey: (key: string) => string,
): Leases {
  const leases = new LRUCache<string, Lease>({ max: leaseHoldersMax });
  return {
    async take(key, limit) {
      let lease = leases.get(key);
      if (lease === undefined) {
        lease = newLease(limit);
        leases.set(key, lease);
      }
      while (lease.endsAtMs <= elapsedMs() || (lease.left === 0 && !lease.exhausted)) {
        await extend(key, lease);
      }
      if (lease.left > 0) {
        lease.left -= 1;
        if (lease.left < partOf(limit) / 2 && !lease.exhausted) extend(key, lease).catch(() => undefined);
        return taken(lease, true);
      }
      return taken(lease, false);
    },
  };

  /** One request to the database at a time for each key: all who wait share it. */
  function extend(key: string, lease: Lease): Promise<void> {
    lease.pending ??= lend(key, lease).finally(() => {
      lease.pending = null;
    });
    return lease.pending;
  }

  async function lend(key: string, lease: Lease): Promise<void> {
    const part = partOf(lease.limit);
    const { points, msLeft } = await counts.add(countKey(key), part, requestWindowSeconds);
    const granted = Math.min(part, Math.max(0, lease.limit - (points - part)));
    const isNewWindow = lease.endsAtMs <= elapsedMs() || points === part;
    lease.left = granted + (isNewWindow ? 0 : lease.left);
    lease.unleased = Math.max(0, lease.limit - points);
    lease.exhausted = granted < part;
    lease.endsAtMs = elapsedMs() + Math.max(1, msLeft);
  }

  function taken({ left, unleased, endsAtMs }: Lease, allowed: boolean): Allowance {
    const secondsLeft = Math.max(1, Math.ceil((endsAtMs - elapsedMs()) / 1_000));
    return { allowed, remaining: left + unleased, secondsLeft };
  }
}

interface Lease {
  readonly limit: number;
  left: number;
  /** What no process had leased when this one last asked. */
  unleased: number;
  /** The window's limit is leased, so that asking again is useless until it ends. */
  exhausted: boolean;
  endsAtMs: number;
  pending: Promise<void> | null;
}

function newLease(limit: number): Lease {
  return { limit, left: 0, unleased: 0, exhausted: false, endsAtMs: Number.NEGATIVE_INFINITY, pending: null };
}

function partOf(limit: number): number {
  return Math.max(1, Math.floor(limit / leasesPerLimit));
}
