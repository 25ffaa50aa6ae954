import { LRUCache } from 'lru-cache';
import type { MarketEvent } from '../../council/event.js';
import type { Db } from '../../db/database.js';
import { readDeliberation, type StoredDeliberation } from '../../db/reports/deliberation.js';
import { readRun } from '../../db/reports/run.js';
import { findRecordEntry } from '../../db/track-record/record.js';

/** What of a completed report never changes again: the database refuses whoever tries. */
export interface FrozenParts {
  readonly deliberation: StoredDeliberation;
  /** The market as the run froze it. */
  readonly market: MarketEvent | null;
  /** Where it stands in the public record. */
  readonly record: { readonly seq: number; readonly hash: string } | null;
}

export type ReadFrozenParts = (reportId: number) => Promise<FrozenParts>;

/** Some 10 MB: a report's parts are about 50 KB once parsed. */
const reportsKeptMax = 200;

/**
 * Reads the parts of completed reports, and of no others, and keeps those that were asked for last. Nothing that may still change
 * is among them, and nothing that depends on who asks: so nobody has to be told when to forget, in however many processes.
 */
export function createFrozenParts(db: Db): ReadFrozenParts {
  const kept = new LRUCache<number, FrozenParts>({ max: reportsKeptMax });
  return async reportId => {
    const known = kept.get(reportId);
    if (known !== undefined) return known;
    const [deliberation, { event: market }, record] = await Promise.all([
      readDeliberation(db, reportId),
      readRun(db, reportId),
      findRecordEntry(db, reportId),
    ]);
    const parts = { deliberation, market, record };
    kept.set(reportId, parts);
    return parts;
  };
}
