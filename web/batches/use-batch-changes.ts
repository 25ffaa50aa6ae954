import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BatchChanges } from '../../client/api-types.js';
import type { BatchView } from '../../contract/batches/batch-shapes.js';
import { useApi } from '../api/api.js';
import { batchQuery } from './batch-queries.js';

/** What its owner does with a batch. The page shows the batch of the answer at once. */
export function useBatchChanges({ batch_id: id }: BatchView) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { queryKey } = batchQuery(api, id);
  const onSuccess = async (changed: BatchView) => {
    // A response that is held may be older.
    await queryClient.cancelQueries({ queryKey });
    queryClient.setQueryData(queryKey, { batch: changed, etag: null });
    void queryClient.invalidateQueries({ queryKey: ['private', 'batches'] });
  };
  return {
    change: useMutation({
      mutationFn: (body: BatchChanges) => api.request('PATCH /api/batches/{id}', { path: { id }, body }),
      onSuccess,
    }),
    retry: useMutation({
      mutationFn: () => api.request('POST /api/batches/{id}/retry', { path: { id } }),
      onSuccess,
    }),
  };
}
