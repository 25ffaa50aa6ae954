import { LRUCache } from 'lru-cache';
import type { RecordEntryView } from '../../contract/record-chain.js';
import type { MarketEvent } from '../../council/event.js';
import type { Db } from '../../db/database.js';
import { readDeliberation, type StoredDeliberation } from '../../db/reports/deliberation.js';
import { readRun } from '../../db/reports/run.js';
import type { ReadRecordEntry, RecordedReport } from './record-entries.js';

/** The immutable parts of a completed report; the database rejects any change to them. */
export interface FrozenParts {
  readonly deliberation: StoredDeliberation;
  /** The market at the time of the run. */
  readonly market: MarketEvent | null;
  /** Its entry in the public record; null if it could not be sealed. */
  readonly record: RecordEntryView | null;
}

export type ReadFrozenParts = (report: RecordedReport) => Promise<FrozenParts>;

/** About 10 MB: the parsed parts of a report take about 50 KB. */
const reportsCachedMax = 200;

/**
 * Reads the parts of completed reports and caches the most recently used ones. The parts never change and do
 * not depend on the caller, so the cache needs no invalidation, in any number of processes.
 */
export function createFrozenParts(db: Db, readRecordEntry: ReadRecordEntry): ReadFrozenParts {
  const cache = new LRUCache<number, FrozenParts>({ max: reportsCachedMax });
  return async report => {
    const { id } = report;
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const [deliberation, { event: market }, record] = await Promise.all([
      readDeliberation(db, id),
      readRun(db, id),
      readRecordEntry(report),
    ]);
    const parts = { deliberation, market, record };
    if (record !== null) cache.set(id, parts);
    return parts;
  };
}
