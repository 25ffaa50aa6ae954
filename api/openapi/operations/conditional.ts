import { conditionalHeader } from '../../../contract/parameters.js';
import type { Answer, Parameters } from '../operation.js';

/** For answers that have an `ETag`. */
export const conditional: Parameters = {
  in: 'header',
  schema: conditionalHeader,
  examples: { 'If-None-Match': '"an-etag-of-before"' },
};

export const notModified: Answer = {
  status: 304,
  description: 'Nothing has changed since the answer whose `ETag` was sent.',
  headers: ['ETag', 'Cache-Control'],
};
