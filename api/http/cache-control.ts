import type { ServerResponse } from 'node:http';
import type { Response } from 'express';

/**
 * `Cache-Control` of an answer that concerns one caller, and of every answer that does not say otherwise: no cache keeps
 * it, also not that of the caller's browser, which others may use after they have signed out. Callers who poll a report
 * keep their own copy and send its `ETag`, which needs no cache.
 */
export const uncached = 'private, no-store';

/** Options of `express.static` for files that are the same for everybody. It would keep the default. */
export function sharedFiles(cacheControl: string) {
  return {
    cacheControl: false,
    // Files are small. A range that is not in the file would be an error.
    acceptRanges: false,
    setHeaders: (response: ServerResponse) => void response.setHeader('Cache-Control', cacheControl),
  };
}

/** Sets the default. A route whose answer is the same for everybody replaces it when it has its answer. */
export function keepFromCaches(response: Response): void {
  response.set('Cache-Control', uncached);
}
