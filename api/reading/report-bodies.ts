import { LRUCache } from 'lru-cache';

/**
 * The responses of ended reports that were read lately, as they were sent. An entity tag names one version of a report
 * as one account sees it, and a version never changes, so nothing here can be outdated.
 */
export interface ReportBodies {
  find(accountId: string, etag: string): string | undefined;
  keep(accountId: string, etag: string, json: string): void;
}

/** Some 300 reports of 50 kB. */
const charsCachedMax = 16_000_000;

export function createReportBodies(): ReportBodies {
  const bodies = new LRUCache<string, string>({
    maxSize: charsCachedMax,
    sizeCalculation: json => json.length,
  });
  return {
    find: (accountId, etag) => bodies.get(accountId + etag),
    keep: (accountId, etag, json) => {
      bodies.set(accountId + etag, json);
    },
  };
}
