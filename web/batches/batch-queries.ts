import { queryOptions } from '@tanstack/react-query';
import type { BatchRowView, BatchView } from '../../contract/batches/batch-shapes.js';
import { type Api, CouncilProblem } from '../api/api.js';
import { paging, refreshMs, retryAfterMs, waitSeconds } from '../api/private-queries.js';

/** Their keys begin with `private`, as all in `api/private-queries.ts`. */
const batchesKey = ['private', 'batches'] as const;

/** Refreshed while one of them runs. */
export const batchesQuery = (api: Api, page: number) =>
  queryOptions({
    queryKey: [...batchesKey, 'list', page],
    queryFn: ({ signal }) => api.request('GET /api/batches', { query: paging(page), signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.batches.some(({ status }) => status === 'running') === true ? refreshMs : false,
  });

/** A batch and the `ETag` of this version; null if it is not known. */
export interface BatchVersion {
  readonly batch: BatchView;
  readonly etag: string | null;
}

/** Asks again at once after each answer: the API holds it until the batch differs from this version. */
export const batchQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [...batchesKey, 'one', id],
    queryFn: async ({ signal, client, queryKey }): Promise<BatchVersion> => {
      const known = client.getQueryData<BatchVersion>(queryKey);
      const etag = known?.etag ?? null;
      const response = await api.streams.send('GET /api/batches/{id}', {
        path: { id },
        signal,
        ...(etag === null ? {} : { headers: { prefer: `wait=${waitSeconds}`, 'if-none-match': etag } }),
      });
      if (response.status === 304 && known !== undefined) return known;
      return { batch: batchIn(await response.json()), etag: response.headers.get('etag') };
    },
    refetchInterval: ({ state: { data, status } }) => {
      if (data === undefined || isOver(data.batch)) return false;
      if (status === 'error') return retryAfterMs;
      // Without a tag no response is held.
      return data.etag === null ? refreshMs : 1;
    },
  });

/** What something between page and service may have changed is whether it is a batch at all. */
function batchIn(json: unknown): BatchView {
  if (isBatch(json)) return json;
  throw new CouncilProblem('unexpected_answer', 'The response is not a batch.');
}

const isBatch = (json: unknown): json is BatchView =>
  typeof json === 'object' && json !== null && 'batch_id' in json;

/** Nothing of the batch changes any more by itself. */
function isOver({ status, rows }: BatchView): boolean {
  return (status === 'completed' || status === 'cancelled') && rows.running === 0;
}

export interface RowFilter {
  /** Null for all. */
  readonly state: BatchRowView['state'] | null;
  /** The position before the first row. */
  readonly after: number;
}

const rowsShown = 50;

/** @param batch as it is shown: when it changes, the rows are read again */
export const batchRowsQuery = (api: Api, { batch_id: id, rows }: BatchView, { state, after }: RowFilter) =>
  queryOptions({
    queryKey: [...batchesKey, 'rows', id, state, after, rows],
    queryFn: ({ signal }) =>
      api.request('GET /api/batches/{id}/rows', {
        path: { id },
        query: { after, limit: rowsShown, ...(state === null ? {} : { state }) },
        signal,
      }),
    // One for each change of the batch.
    gcTime: 0,
  });
