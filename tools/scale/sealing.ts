import { percentile } from '../bench/results/measurement.js';
import { exponential, type Random } from './simulate.js';

/**
 * The record's one sealer: it looks for new rows after a pause, and seals them in batches, one transaction each. Entries
 * arrive at random, whatever the sealer does.
 */
export interface SealCost {
  /** Time of a batch, besides its rows, and of each row. */
  readonly batchMs: number;
  readonly rowMs: number;
  readonly batchRows: number;
  readonly pauseMs: number;
}

export interface Sealed {
  readonly arrived: number;
  readonly sealed: number;
  readonly waiting: number;
  readonly meanWaitMs: number;
  readonly p99WaitMs: number;
  /** The share of the time in which the sealer works. */
  readonly busy: number;
}

/** The two times, from how long it took to seal few rows and many. */
export function sealCost(
  few: { readonly rows: number; readonly ms: number },
  many: { readonly rows: number; readonly ms: number },
): Pick<SealCost, 'batchMs' | 'rowMs'> {
  const rowMs = (many.ms - few.ms) / (many.rows - few.rows);
  return { batchMs: few.ms - few.rows * rowMs, rowMs };
}

/** The most entries a second: full batches without a pause. */
export function sealedPerSecondMax({ batchMs, rowMs, batchRows }: SealCost): number {
  return (1_000 * batchRows) / (batchMs + batchRows * rowMs);
}

export function simulateSealing(
  cost: SealCost,
  load: { readonly perSecond: number; readonly seconds: number },
  random: Random,
): Sealed {
  const endMs = load.seconds * 1_000;
  const arrivals = arrivalsUntil(endMs, load.perSecond, random);
  const waitsMs: number[] = [];
  let busyMs = 0;
  for (let nowMs = 0; nowMs < endMs; ) {
    const before = waitsMs.length;
    const rows = rowsBetween(arrivals, before, nowMs, cost.batchRows);
    const tookMs = rows === 0 ? 0 : cost.batchMs + rows * cost.rowMs;
    nowMs += tookMs;
    busyMs += tookMs;
    for (const arrivedMs of arrivals.slice(before, before + rows)) waitsMs.push(nowMs - arrivedMs);
    if (rows < cost.batchRows) nowMs += cost.pauseMs;
  }
  return {
    arrived: arrivals.length,
    sealed: waitsMs.length,
    waiting: arrivals.length - waitsMs.length,
    meanWaitMs: waitsMs.reduce((sum, ms) => sum + ms, 0) / waitsMs.length,
    p99WaitMs: percentile(waitsMs, 0.99),
    busy: Math.min(1, busyMs / endMs),
  };
}

function arrivalsUntil(endMs: number, perSecond: number, random: Random): readonly number[] {
  const betweenMs = exponential(1_000 / perSecond);
  const arrivals: number[] = [];
  for (let atMs = betweenMs(random); atMs < endMs; atMs += betweenMs(random)) arrivals.push(atMs);
  return arrivals;
}

/** How many of the next rows have arrived by now, at most a batch. */
function rowsBetween(arrivals: readonly number[], from: number, nowMs: number, most: number): number {
  let rows = 0;
  while (rows < most && (arrivals[from + rows] ?? Infinity) <= nowMs) rows += 1;
  return rows;
}
